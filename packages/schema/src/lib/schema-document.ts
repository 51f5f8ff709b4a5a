import { isJsonObject, type JsonObject, type JsonValue, type Vocabulary } from '@ashlar/core';

/** A schema object of OpenAPI as it was written, read keyword by keyword; what is of a wrong type counts as absent. */
export class SchemaDocument {
  readonly json: JsonObject;
  readonly #vocabulary: Vocabulary;
  // checks walk the same document one after the other
  #parts: Map<JsonObject, SchemaDocument> | undefined;
  #named: Map<string, ReadonlyMap<string, SchemaDocument>> | undefined;

  constructor(json: JsonObject, vocabulary: Vocabulary) {
    this.json = json;
    this.#vocabulary = vocabulary;
  }

  /** Whether a keyword is there at all. */
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
    return this.#vocabulary.extensionPrefix + name;
  }

  schema(keyword: string): SchemaDocument | undefined {
    const value = this.json[keyword];
    return value !== undefined && isJsonObject(value) ? this.#inside(value) : undefined;
  }

  schemas(keyword: string): readonly SchemaDocument[] {
    const value = this.json[keyword];
    return Array.isArray(value) ? value.filter(isJsonObject).map((each) => this.#inside(each)) : NO_SCHEMAS;
  }

  /** Schemas by name, as `properties` has them. */
  named(keyword: string): ReadonlyMap<string, SchemaDocument> {
    const value = this.json[keyword];
    if (value === undefined || !isJsonObject(value)) return NOTHING_NAMED;
    this.#named ??= new Map();
    let named = this.#named.get(keyword);
    if (!named) {
      named = this.#namedIn(value);
      this.#named.set(keyword, named);
    }
    return named;
  }

  #namedIn(value: JsonObject): ReadonlyMap<string, SchemaDocument> {
    const named = new Map<string, SchemaDocument>();
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined && isJsonObject(part)) named.set(name, this.#inside(part));
    }
    return named;
  }

  /** The default; null counts as none. */
  get default(): JsonValue | undefined {
    return this.json.default ?? undefined;
  }

  /** The keywords that say something: not those that have the value which absence has. */
  keywords(): readonly string[] {
    return Object.entries(this.json)
      .filter(([, value]) => value !== undefined && !isZero(value))
      .map(([keyword]) => keyword);
  }

  #inside(json: JsonObject): SchemaDocument {
    this.#parts ??= new Map();
    let part = this.#parts.get(json);
    if (!part) {
      part = new SchemaDocument(json, this.#vocabulary);
      this.#parts.set(json, part);
    }
    return part;
  }
}

const NO_SCHEMAS: readonly SchemaDocument[] = [];
const NOTHING_NAMED: ReadonlyMap<string, SchemaDocument> = new Map();

function isZero(value: JsonValue): boolean {
  if (value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return false;
}
