import {
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Schema,
  type Steps,
  setMember,
  type Vocabulary,
} from '@ashlar/core';
import { type Keyword, type KeywordShape, openApiKeywords } from './openapi-keywords.ts';
import { TaskStack } from './task-stack.ts';

/** A keyword without a corresponding member of a schema. */
export interface UnknownKeyword {
  /** Path of its schema: `spec.list[]`, empty for the root. */
  readonly path: string;
  readonly keyword: string;
}

/** Options of reading OpenAPI. */
export interface FromOpenApiOptions {
  /** Vocabulary whose prefix vendor extensions have. */
  readonly vocabulary: Vocabulary;
  /** Called for each omitted keyword. By default such keywords are rejected. */
  readonly report?: (unknown: UnknownKeyword) => void;
}

/**
 * Converts a schema object of OpenAPI v3 (semantics/schemas#structural-rules), losslessly: `toOpenApi` is the
 * inverse.
 *
 * @throws TypeError that names the path, if a keyword is unknown or its value of a wrong type
 * @example
 * fromOpenApi({ type: 'array', items: { type: 'string' }, 'x-…-list-type': 'set' }, { vocabulary });
 * // { type: 'array', items: { type: 'string' }, listType: 'set' }
 */
export function fromOpenApi(document: JsonValue, options: FromOpenApiOptions): Schema {
  const keywords = new Map(openApiKeywords(options.vocabulary).map((each) => [each.keyword, each]));
  return new OpenApiReader(keywords, options.report ?? refuse, undefined).schema(document, '');
}

/** As {@link fromOpenApi}, with pauses. */
export function fromOpenApiSteps(document: JsonValue, options: FromOpenApiOptions): Steps<Schema> {
  return readSteps(document, options.vocabulary, options.report ?? refuse, false);
}

/** Converts leniently: keywords that are unknown or have a value of a wrong type are omitted. */
export function fromOpenApiLeniently(document: JsonObject, vocabulary: Vocabulary): Schema {
  return runAtOnce(fromOpenApiLenientlySteps(document, vocabulary));
}

/** As {@link fromOpenApiLeniently}, with pauses. */
export function fromOpenApiLenientlySteps(document: JsonObject, vocabulary: Vocabulary): Steps<Schema> {
  return readSteps(document, vocabulary, () => {}, true);
}

function* readSteps(
  document: JsonValue,
  vocabulary: Vocabulary,
  report: (unknown: UnknownKeyword) => void,
  isLenient: boolean,
): Steps<Schema> {
  const keywords = new Map(openApiKeywords(vocabulary).map((each) => [each.keyword, each]));
  const tasks = new TaskStack();
  const schema = new OpenApiReader(keywords, report, tasks, isLenient).schema(document, '');
  yield* tasks.runSteps();
  return schema;
}

const refuse = ({ path, keyword }: UnknownKeyword): void => {
  throw new TypeError(`${place(path)}: the keyword ${goQuote(keyword)} is not supported`);
};

const place = (path: string): string => `schema of ${path === '' ? 'the root' : path}`;

class OpenApiReader {
  readonly #keywords: ReadonlyMap<string, Keyword>;
  readonly #report: (unknown: UnknownKeyword) => void;

  /** Where reading pauses: the schemas whose keywords are still to be read. */
  readonly #tasks: TaskStack | undefined;
  readonly #isLenient: boolean;

  constructor(
    keywords: ReadonlyMap<string, Keyword>,
    report: (unknown: UnknownKeyword) => void,
    tasks: TaskStack | undefined,
    isLenient = false,
  ) {
    this.#keywords = keywords;
    this.#report = report;
    this.#tasks = tasks;
    this.#isLenient = isLenient;
  }

  schema(value: JsonValue, path: string, isOfMany = false): Schema {
    if (!isJsonObject(value)) throw new TypeError(`${place(path)}: must be an object`);
    const schema: Record<string, unknown> = {};
    if (this.#tasks && (isOfMany || hasParts(value)))
      this.#tasks.add(() => this.#readKeywords(schema, value, path));
    else this.#readKeywords(schema, value, path);
    return schema as Schema;
  }

  #readKeywords(schema: Record<string, unknown>, value: JsonObject, path: string): void {
    for (const name of Object.keys(value)) {
      const keywordValue = value[name];
      if (keywordValue === undefined) continue;
      const keyword = this.#keywords.get(name);
      if (keyword) this.#set(schema, keyword, keywordValue, path);
      else this.#report({ path, keyword: name });
    }
  }

  #set(
    schema: Record<string, unknown>,
    { keyword, member, shape }: Keyword,
    value: JsonValue,
    path: string,
  ): void {
    try {
      schema[member] = this.#read(shape, value, keyword, path);
    } catch (error) {
      if (!this.#isLenient) throw error;
    }
  }

  #read(shape: KeywordShape, value: JsonValue, keyword: string, path: string): unknown {
    const wrong = (what: string): TypeError => new TypeError(`${place(path)}: ${keyword} must be ${what}`);
    switch (shape) {
      case 'text':
        if (typeof value !== 'string') throw wrong('a string');
        return value;
      case 'number':
        if (typeof value !== 'number' && typeof value !== 'bigint') throw wrong('a number');
        return Number(value);
      case 'flag':
        if (typeof value !== 'boolean') throw wrong('a boolean');
        return value;
      case 'texts':
        if (!isList(value) || value.some((each) => typeof each !== 'string'))
          throw wrong('a list of strings');
        return value;
      case 'values':
        if (!isList(value)) throw wrong('a list');
        return value;
      case 'rules':
        if (!isList(value) || !value.every(isRule)) throw wrong('a list of rules');
        return value;
      case 'value':
        return value;
      default:
        return this.#readSchemas(shape, value, keyword, path, wrong);
    }
  }

  #readSchemas(
    shape: 'schema' | 'schemas' | 'properties' | 'schemaOrFlag',
    value: JsonValue,
    keyword: string,
    path: string,
    wrong: (what: string) => TypeError,
  ): unknown {
    switch (shape) {
      case 'schemas':
        if (!isList(value)) throw wrong('a list of schemas');
        return value.map((each, index) => this.schema(each, `${path}.${keyword}[${index}]`));
      case 'properties':
        if (!isJsonObject(value)) throw wrong('an object of schemas');
        return this.#properties(value, path);
      case 'schemaOrFlag':
        return typeof value === 'boolean' ? value : this.schema(value, `${path}{}`);
      case 'schema':
        if (!isJsonObject(value)) throw wrong('a schema');
        return this.schema(value, keyword === 'items' ? `${path}[]` : `${path}.${keyword}`);
    }
  }

  #properties(value: JsonObject, path: string): Readonly<Record<string, Schema>> {
    const properties: Record<string, Schema> = {};
    const parts = Object.entries(value);
    const areMany = parts.length > MANY;
    for (const [name, part] of parts) {
      const place = path === '' ? name : `${path}.${name}`;
      setMember(properties, name, this.schema(part as JsonValue, place, areMany));
    }
    return properties;
  }
}

/** Properties that together take long to read. */
const MANY = 256;

/** Whether reading a schema may take long. */
function hasParts(value: JsonObject): boolean {
  for (const name in value) if (typeof value[name] === 'object') return true;
  return false;
}

const isList = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

const RULE_TEXTS: ReadonlySet<string> = new Set([
  'rule',
  'message',
  'messageExpression',
  'reason',
  'fieldPath',
]);

const isRule = (value: JsonValue): boolean =>
  isJsonObject(value) &&
  typeof value.rule === 'string' &&
  Object.entries(value).every(([name, part]) =>
    name === 'optionalOldSelf' ? typeof part === 'boolean' : RULE_TEXTS.has(name) && typeof part === 'string',
  );
