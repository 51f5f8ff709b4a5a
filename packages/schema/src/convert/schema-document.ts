import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';

/** The types of values of a schema. */
export const SCHEMA_TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** A schema object of OpenAPI, read keyword by keyword; values of a wrong type count as absent. */
export class SchemaDocument {
  readonly json: JsonObject;
  /**
   * Whether it contains only a type, bounds, descriptions, items and properties: most schemas do, and hardly
   * a check concerns them.
   */
  get isPlain(): boolean {
    this.#isPlain ??= isPlain(this.json);
    return this.#isPlain;
  }

  #isPlain: boolean | undefined;
  readonly #extensions: ExtensionKeywords;
  // checks traverse the same document one after the other
  #single: Map<string, SchemaDocument> | undefined;
  #lists: Map<string, readonly SchemaDocument[]> | undefined;
  #properties: ReadonlyMap<string, SchemaDocument> | undefined;
  #branches: readonly (readonly [name: string, schema: SchemaDocument])[] | undefined;

  constructor(json: JsonObject, vocabulary: Vocabulary | ExtensionKeywords) {
    this.json = json;
    this.#extensions =
      vocabulary instanceof ExtensionKeywords ? vocabulary : new ExtensionKeywords(vocabulary);
  }

  /** Whether a keyword is present. */
  has(keyword: string): boolean {
    const value = this.json[keyword];
    return value !== undefined && value !== null && Object.hasOwn(this.json, keyword);
  }

  text(keyword: string): string {
    const value = this.json[keyword];
    return typeof value === 'string' ? value : '';
  }

  flag(keyword: string): boolean {
    return this.json[keyword] === true;
  }

  texts(keyword: string): readonly string[] {
    const value = this.json[keyword];
    return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
  }

  /** The keyword of a vendor extension: `list-type` is `x-…-list-type`. */
  extension(name: string): string {
    return this.#extensions.keyword(name);
  }

  schema(keyword: string): SchemaDocument | undefined {
    const value = this.json[keyword];
    if (value === undefined || !isJsonObject(value)) return undefined;
    const existing = this.#single?.get(keyword);
    if (existing) return existing;
    const part = this.#inside(value);
    this.#single ??= new Map();
    this.#single.set(keyword, part);
    return part;
  }

  schemas(keyword: string): readonly SchemaDocument[] {
    const value = this.json[keyword];
    if (!Array.isArray(value)) return NO_SCHEMAS;
    const cached = this.#lists?.get(keyword);
    if (cached) return cached;
    const parts = [...this.eachListed(keyword)];
    this.#lists ??= new Map();
    this.#lists.set(keyword, parts);
    return parts;
  }

  /** The same, each made when it is asked for: there may be as many as fit into a body. */
  *eachListed(keyword: string): Iterable<SchemaDocument> {
    const value = this.json[keyword];
    if (!Array.isArray(value)) return;
    for (const each of value) if (isJsonObject(each)) yield this.#inside(each);
  }

  /** Schemas by name, such as `properties`. */
  named(keyword: string): ReadonlyMap<string, SchemaDocument> {
    const value = this.json[keyword];
    if (value === undefined || !isJsonObject(value)) return NOTHING_NAMED;
    if (keyword !== 'properties') return new Map(this.eachNamed(keyword));
    this.#properties ??= new Map(this.eachNamed(keyword));
    return this.#properties;
  }

  /** The same, each made when it is asked for. */
  *eachNamed(keyword: string): Iterable<readonly [string, SchemaDocument]> {
    const value = this.json[keyword];
    if (value === undefined || !isJsonObject(value)) return;
    for (const name of Object.keys(value)) {
      const part = value[name];
      if (part !== undefined && isJsonObject(part)) yield [name, this.#inside(part)];
    }
  }

  /** The schema of one property. */
  property(name: string): SchemaDocument | undefined {
    const { properties } = this.json;
    if (properties === undefined || !isJsonObject(properties) || !Object.hasOwn(properties, name))
      return undefined;
    const value = properties[name];
    return value !== undefined && isJsonObject(value) ? this.#inside(value) : undefined;
  }

  /**
   * The properties except those with only a type and bounds, which are most, and about which no check has anything to say. They are found once
   * for all checks.
   */
  branches(): readonly (readonly [name: string, schema: SchemaDocument])[] {
    this.#branches ??= this.#findBranches();
    return this.#branches;
  }

  #findBranches(): readonly (readonly [name: string, schema: SchemaDocument])[] {
    const { properties } = this.json;
    if (properties === undefined || !isJsonObject(properties)) return NO_BRANCHES;
    const branches: (readonly [string, SchemaDocument])[] = [];
    for (const name of Object.keys(properties)) {
      const part = properties[name];
      if (part !== undefined && isJsonObject(part) && !isLeaf(part))
        branches.push([name, this.#inside(part)]);
    }
    return branches;
  }

  /** The default; null counts as none. */
  get default(): JsonValue | undefined {
    return this.json.default ?? undefined;
  }

  /** The keywords except those with the value that absence has: null, and where they are texts and flags an empty text and false. */
  keywords(): readonly string[] {
    return Object.keys(this.json).filter((keyword) => {
      const value = this.json[keyword];
      return value !== undefined && value !== null && !(isZero(value) && this.#mayBeZero(keyword));
    });
  }

  #mayBeZero(keyword: string): boolean {
    return (
      TEXTS_AND_FLAGS.has(keyword) ||
      keyword === this.extension('embedded-resource') ||
      keyword === this.extension('int-or-string')
    );
  }

  #inside(json: JsonObject): SchemaDocument {
    return new SchemaDocument(json, this.#extensions);
  }
}

/** The keywords of vendor extensions by name, each string created once. */
class ExtensionKeywords {
  readonly #prefix: string;
  readonly #keywords: Map<string, string> = new Map();

  constructor({ extensionPrefix }: Vocabulary) {
    this.#prefix = extensionPrefix;
  }

  keyword(name: string): string {
    let keyword = this.#keywords.get(name);
    if (keyword === undefined) {
      keyword = this.#prefix + name;
      this.#keywords.set(name, keyword);
    }
    return keyword;
  }
}

const PLAIN: ReadonlySet<string> = new Set([
  'description',
  'title',
  'format',
  'pattern',
  'enum',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'properties',
]);

function isPlain(json: JsonObject): boolean {
  for (const keyword of Object.keys(json)) {
    if (PLAIN.has(keyword)) continue;
    const value = json[keyword];
    const isHarmless = keyword === 'type' ? SCHEMA_TYPES.includes(value as string) : isItems(keyword, value);
    if (!isHarmless) return false;
  }
  return true;
}

/** Keywords of simple schemas that have parts, or are checked. */
const CHECKED: ReadonlySet<string> = new Set(['properties', 'pattern']);

/** Whether a schema has a type, and neither parts nor keywords that are checked. */
function isLeaf(json: JsonObject): boolean {
  const { type } = json;
  if (type === 'array' || !SCHEMA_TYPES.includes(type as string)) return false;
  for (const keyword in json) {
    if (keyword !== 'type' && (!PLAIN.has(keyword) || CHECKED.has(keyword))) return false;
  }
  return true;
}

const isItems = (keyword: string, value: JsonValue | undefined): boolean =>
  keyword === 'items' && isJsonObject(value);

const NO_SCHEMAS: readonly SchemaDocument[] = [];
const NO_BRANCHES: readonly (readonly [string, SchemaDocument])[] = [];
const NOTHING_NAMED: ReadonlyMap<string, SchemaDocument> = new Map();

/** The keywords that are a text or a flag, and absent where they are empty or false. Empty lists and objects are not. */
const TEXTS_AND_FLAGS: ReadonlySet<string> = new Set([
  ...['id', '$schema', 'description', 'type', 'format', 'title', 'pattern'],
  ...['exclusiveMaximum', 'exclusiveMinimum', 'uniqueItems', 'nullable'],
]);

const isZero = (value: JsonValue): boolean => value === '' || value === false;
