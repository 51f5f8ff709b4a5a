import {
  type FieldError,
  FieldErrors,
  isPatternTooLarge,
  jsonEqual,
  MAXIMUM_PATTERN_SIZE,
  PATTERN_TOO_LARGE,
  type Steps,
  sizeAmongPatterns,
} from '@ashlar/core';
import type { SchemaDocument } from '../convert/schema-document.ts';
import { TaskStack } from '../convert/task-stack.ts';
import type { CompilePattern } from '../formats/pattern.ts';

/** Maximum total size of all patterns of a schema; further patterns are rejected like those that are too large. */
const MAXIMUM_TOTAL_SIZE = 10 * MAXIMUM_PATTERN_SIZE;

/** Position of a schema, for the error about a missing type. */
type Level = 'root' | 'item' | 'field';

const MISSING_TYPE: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * Returns the reasons why a schema is not structural (semantics/schemas#structural-rules): missing types,
 * keywords that shape values inside combinations, metadata with more than names, invalid patterns.
 */
export function* structuralErrorsSteps(
  schema: SchemaDocument,
  path: string,
  compilePattern: CompilePattern,
): Steps<readonly FieldError[]> {
  const check = new InvariantCheck(compilePattern);
  check.schema(schema, 'root', path);
  yield* check.tasks.runSteps();
  return check.errors;
}

/** Where a schema has the pattern of int-or-string, whose parts are accepted. */
interface Skipped {
  readonly anyOf: boolean;
  /** In the first part of its allOf. */
  readonly inFirstAllOf: boolean;
}

class InvariantCheck {
  readonly errors: FieldError[] = [];
  /** Checks of parts that are still to be made. */
  readonly tasks: TaskStack = new TaskStack();
  readonly #compilePattern: CompilePattern;
  readonly #patterns = new Set<string>();
  #patternSize = 0;

  constructor(compilePattern: CompilePattern) {
    this.#compilePattern = compilePattern;
  }

  schema(schema: SchemaDocument, level: Level, path: string): void {
    this.tasks.add(() => this.#schema(schema, level, path));
  }

  #schema(schema: SchemaDocument, level: Level, path: string): void {
    this.#inside(schema, level, path);
    if (schema.isPlain && level !== 'root') this.#plain(schema, level, path);
    else this.#checkSchema(schema, level, path);
  }

  /** Returns the errors of a simple schema. */
  #plain(schema: SchemaDocument, level: Level, path: string): void {
    this.#pattern(schema.text('pattern'), `${path}.pattern`);
    if (schema.text('type') === '')
      this.errors.push(FieldErrors.required(`${path}.type`, MISSING_TYPE[level]));
  }

  #checkSchema(schema: SchemaDocument, level: Level, path: string): void {
    this.#extensions(schema, path);
    const skipped = {
      anyOf: isIntOrString(schema),
      inFirstAllOf: isIntOrString(schema.schemas('allOf')[0]),
    };
    this.#validations(schema, skipped, path);
    this.#type(schema, level, path);
    this.#resource(schema, level, path);
  }

  #inside(schema: SchemaDocument, level: Level, path: string): void {
    const items = schema.schema('items');
    if (schema.text('type') === 'array' && !items) {
      this.errors.push(FieldErrors.required(`${path}.items`, 'must be specified'));
    }
    if (items) this.schema(items, 'item', `${path}.items`);
    for (const [name, part] of schema.branches()) this.schema(part, 'field', `${path}.properties[${name}]`);
    if (!schema.has('additionalProperties')) return;
    if (level === 'root') this.#forbid(`${path}.additionalProperties`, 'must not be used at the root');
    const additional = schema.schema('additionalProperties');
    if (additional) this.schema(additional, 'field', `${path}.additionalProperties`);
  }

  #extensions(schema: SchemaDocument, path: string): void {
    const intOrString = schema.extension('int-or-string');
    if (!schema.flag(intOrString)) return;
    for (const name of ['preserve-unknown-fields', 'embedded-resource']) {
      const keyword = schema.extension(name);
      if (!schema.flag(keyword)) continue;
      this.errors.push(
        FieldErrors.invalid(`${path}.${keyword}`, true, `must be false if ${intOrString} is true`),
      );
    }
  }

  #type(schema: SchemaDocument, level: Level, path: string): void {
    const type = schema.text('type');
    const embedded = schema.extension('embedded-resource');
    if (schema.flag(embedded) && type !== 'object') {
      this.errors.push(misfit(`${path}.type`, type, `must be object if ${embedded} is true`));
    } else if (type === '' && !schema.flag(schema.extension('int-or-string')) && !preserves(schema)) {
      this.errors.push(FieldErrors.required(`${path}.type`, MISSING_TYPE[level]));
    }
    if (level === 'root' && type !== '' && type !== 'object') {
      this.errors.push(FieldErrors.invalid(`${path}.type`, type, 'must be object at the root'));
    }
  }

  #resource(schema: SchemaDocument, level: Level, path: string): void {
    const embedded = schema.extension('embedded-resource');
    const isEmbedded = schema.flag(embedded);
    if (isEmbedded && schema.has('additionalProperties')) {
      this.#forbid(`${path}.additionalProperties`, `must not be used if ${embedded} is set`);
    }
    const isResource = level === 'root' || isEmbedded;
    for (const name of ['kind', 'apiVersion']) {
      const part = schema.property(name);
      if (!isResource || !part || part.text('type') === 'string') continue;
      this.errors.push(
        FieldErrors.invalid(`${path}.properties[${name}].type`, part.text('type'), 'must be string'),
      );
    }
    const metadata = schema.property('metadata');
    if (metadata) this.#metadata(metadata, isResource, level, `${path}.properties[metadata]`);
    if (!isEmbedded || preserves(schema) || schema.named('properties').size > 0) return;
    const text = `must not be empty if ${embedded} is true without ${schema.extension('preserve-unknown-fields')}`;
    this.errors.push(FieldErrors.required(`${path}.properties`, text));
  }

  #metadata(metadata: SchemaDocument, isResource: boolean, level: Level, path: string): void {
    const type = metadata.text('type');
    if (isResource && type !== 'object') {
      this.errors.push(FieldErrors.invalid(`${path}.type`, type, 'must be object'));
    }
    if (level !== 'root' || namesOnly(metadata)) return;
    this.#forbid(
      path,
      'must not specify anything other than name and generateName, but metadata is implicitly specified',
    );
  }

  /** Checks the parts of combinations. The pattern of int-or-string is accepted, in both places at once too. */
  #validations(schema: SchemaDocument, skipped: Skipped, path: string): void {
    for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
      if (keyword === 'anyOf' && skipped.anyOf) continue;
      for (const [index, part] of schema.schemas(keyword).entries()) {
        const anyOf = keyword === 'allOf' && index === 0 && skipped.inFirstAllOf;
        this.#part(part, anyOf, `${path}.${keyword}[${index}]`);
      }
    }
    const not = schema.schema('not');
    if (not) this.#part(not, false, `${path}.not`);
    this.#pattern(schema.text('pattern'), `${path}.pattern`);
  }

  #pattern(pattern: string, path: string): void {
    if (pattern === '' || this.#patterns.has(pattern)) return;
    try {
      this.#patternSize += sizeAmongPatterns(pattern);
      if (this.#patternSize > MAXIMUM_TOTAL_SIZE || isPatternTooLarge(pattern))
        throw new Error(PATTERN_TOO_LARGE);
      this.tasks.pauseNext();
      this.#compilePattern(pattern);
      this.#patterns.add(pattern);
    } catch (error) {
      const text = `must be a valid regular expression, but isn't: ${(error as Error).message}`;
      this.errors.push(FieldErrors.invalid(path, pattern, text));
    }
  }

  #part(part: SchemaDocument, anyOf: boolean, path: string): void {
    this.tasks.add(() => this.#partAndChildren(part, anyOf, path));
  }

  #partAndChildren(part: SchemaDocument, anyOf: boolean, path: string): void {
    this.#validations(part, { anyOf, inFirstAllOf: false }, path);
    const items = part.schema('items');
    if (items) this.#part(items, false, `${path}.items`);
    const properties = part.named('properties');
    for (const [name, each] of properties) this.#part(each, false, `${path}.properties[${name}]`);
    for (const [keyword, text] of shapingKeywords(part)) this.#forbid(`${path}.${keyword}`, text);
    if (properties.has('metadata')) {
      this.#forbid(`${path}.properties[metadata]`, 'must not be specified in a nested context');
    }
  }

  #forbid(path: string, text: string): void {
    this.errors.push(FieldErrors.forbidden(path, text));
  }
}

const preserves = (schema: SchemaDocument): boolean =>
  schema.flag(schema.extension('preserve-unknown-fields'));

/** A missing or different type. */
export const misfit = (path: string, type: string, text: string): FieldError =>
  type === '' ? FieldErrors.required(path, text) : FieldErrors.invalid(path, type, text);

/** `anyOf: [{ type: integer }, { type: string }]`, and nothing else in them. */
function isIntOrString(schema: SchemaDocument | undefined): boolean {
  const parts = schema?.schemas('anyOf') ?? [];
  const only = (part: SchemaDocument | undefined, type: string): boolean =>
    part !== undefined && part.text('type') === type && meaning(part).length === 1;
  return parts.length === 2 && only(parts[0], 'integer') && only(parts[1], 'string');
}

/** The keywords that constrain values. An empty list of required fields is one, an empty list of alternatives is none. */
const meaning = (schema: SchemaDocument): readonly string[] =>
  schema.keywords().filter((keyword) => {
    const value = schema.json[keyword];
    if (ALTERNATIVES.has(keyword)) return !(Array.isArray(value) && value.length === 0);
    return !IGNORED.has(keyword) && !(keyword === 'additionalProperties' && value === false);
  });

const ALTERNATIVES: ReadonlySet<string> = new Set(['enum', 'allOf', 'anyOf', 'oneOf']);
/** Keywords that are not part of a structural schema. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['example', 'externalDocs', 'definitions', 'dependencies', 'patternProperties'],
]);

/** Whether a schema of metadata only has rules for the two names; its default is checked elsewhere. */
function namesOnly(metadata: SchemaDocument): boolean {
  const names = [...metadata.named('properties').keys()];
  const allowed = names.filter((name) => name === 'name' || name === 'generateName');
  if (allowed.length < names.length || metadata.json.additionalProperties === false) return false;
  return meaning(metadata).every((keyword) => ['type', 'default', 'properties'].includes(keyword));
}

/** Keywords of most parts of combinations, which shape nothing. */
const OF_CHECKS: ReadonlySet<string> = new Set([
  ...['required', 'properties', 'items', 'pattern', 'enum', 'allOf', 'anyOf', 'oneOf', 'not', 'format'],
  ...[
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'minItems',
    'maxItems',
    'minProperties',
    'maxProperties',
  ],
]);

function isOfChecks({ json }: SchemaDocument): boolean {
  for (const keyword in json) if (!OF_CHECKS.has(keyword)) return false;
  return true;
}

const NO_KEYWORDS: readonly [keyword: string, text: string][] = [];

/** Returns the keywords inside a combination that shape values, where only checks are allowed. */
function shapingKeywords(part: SchemaDocument): readonly [keyword: string, text: string][] {
  if (isOfChecks(part)) return NO_KEYWORDS;
  const empty = 'must be empty to be structural';
  const absent = 'must be undefined to be structural';
  const unset = 'must be false to be structural';
  const extension = (name: string): string => part.extension(name);
  const additional = part.json.additionalProperties;
  const found: [keyword: string, text: string, isSet: boolean][] = [
    ['type', empty, part.text('type') !== ''],
    ['additionalProperties', absent, additional !== undefined && additional !== null && additional !== false],
    ['default', absent, part.default !== undefined],
    ['title', empty, part.text('title') !== ''],
    ['description', empty, part.text('description') !== ''],
    ['nullable', unset, part.flag('nullable')],
    [extension('preserve-unknown-fields'), unset, part.flag(extension('preserve-unknown-fields'))],
    [extension('embedded-resource'), unset, part.flag(extension('embedded-resource'))],
    [extension('int-or-string'), unset, part.flag(extension('int-or-string'))],
    [extension('list-map-keys'), empty, part.texts(extension('list-map-keys')).length > 0],
    [extension('list-type'), absent, part.has(extension('list-type'))],
    [extension('map-type'), absent, part.has(extension('map-type'))],
    [extension('validations'), empty, !jsonEqual(part.json[extension('validations')] ?? [], [])],
  ];
  return found.filter(([, , isSet]) => isSet).map(([keyword, text]) => [keyword, text]);
}
