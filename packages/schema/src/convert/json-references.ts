import { goQuote, isJsonObject, type JsonObject, type JsonValue, ownMember, setMember } from '@ashlar/core';

/** Treatment of a recursive type: reject it, or allow any value where it recurs. */
export type Cycles = 'refuse' | 'preserve';

/** Maximum number of parts of an inlined schema, which grows with every reference. */
const MAXIMUM_PARTS = 100_000;
const DEEPEST = 500;
/** Keywords about the document, or containers of named schemas. */
const OF_THE_DOCUMENT: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', '$defs', 'definitions']);
const SCHEMAS_BY_NAME = 'properties';
const SCHEMA_LISTS: readonly string[] = ['allOf', 'anyOf', 'oneOf'];
const SCHEMAS: readonly string[] = ['items', 'additionalProperties', 'not'];

/**
 * Inlines a schema: replaces each `$ref` with its target, and keywords of JSON Schema with those of OpenAPI
 * 3.0 (`type: [x, null]`, `const`, exclusive bounds).
 * @param root the document that local references are resolved in
 * @param preserve the extension keyword that preserves unknown fields, which replaces a type within itself;
 * by default such types are rejected
 * @throws TypeError for references that do not resolve or leave the document, cycles, and documents that grow
 * too large
 */
export function resolveReferences(
  schema: JsonValue,
  root: JsonValue,
  preserve: string | undefined,
): JsonValue {
  return new Resolver(root, preserve).schema(schema, [], 0);
}

class Resolver {
  readonly #root: JsonValue;
  readonly #preserve: string | undefined;
  #parts = 0;

  constructor(root: JsonValue, preserve: string | undefined) {
    this.#root = root;
    this.#preserve = preserve;
  }

  schema(value: JsonValue, trail: readonly string[], depth: number): JsonValue {
    if (!isJsonObject(value)) return value;
    if (++this.#parts > MAXIMUM_PARTS) throw new TypeError(`the schema has more than ${MAXIMUM_PARTS} parts`);
    if (depth > DEEPEST) throw new TypeError(`the schema is nested deeper than ${DEEPEST}`);
    const reference = referenceOf(value);
    return reference === undefined
      ? this.#plain(value, trail, depth)
      : this.#named(value, reference, trail, depth);
  }

  /** Keywords next to a reference take precedence over those of its target. */
  #named(value: JsonObject, reference: string, trail: readonly string[], depth: number): JsonValue {
    const { $ref: _, allOf, ...beside } = value;
    const own: JsonObject =
      value.$ref === undefined ? beside : { ...beside, ...(allOf !== undefined && { allOf }) };
    if (trail.includes(reference)) return this.#again(own, reference);
    const target = this.#lookUp(reference);
    if (!isJsonObject(target)) throw new TypeError(`${goQuote(reference)} leads to nothing`);
    const resolved = this.schema(target, [...trail, reference], depth + 1) as JsonObject;
    return { ...resolved, ...this.#plain(own, trail, depth) };
  }

  #again({ description }: JsonObject, reference: string): JsonObject {
    if (this.#preserve === undefined) throw new TypeError(`${goQuote(reference)} contains itself`);
    return { ...(description !== undefined && { description }), type: 'object', [this.#preserve]: true };
  }

  #lookUp(reference: string): JsonValue | undefined {
    if (reference !== '#' && !reference.startsWith('#/')) {
      throw new TypeError(`${goQuote(reference)} leads out of the document`);
    }
    let at: JsonValue | undefined = this.#root;
    for (const step of reference.split('/').slice(1)) {
      const name = decodeStep(step);
      at = at !== undefined && isJsonObject(at) ? ownMember(at, name) : undefined;
    }
    return at;
  }

  #plain(value: JsonObject, trail: readonly string[], depth: number): JsonObject {
    const own: Record<string, JsonValue> = {};
    for (const [keyword, keywordValue] of Object.entries(inOpenApi(value))) {
      if (keywordValue === undefined || OF_THE_DOCUMENT.has(keyword)) continue;
      setMember(own, keyword, this.#keyword(keyword, keywordValue, trail, depth));
    }
    return own;
  }

  #keyword(keyword: string, value: JsonValue, trail: readonly string[], depth: number): JsonValue {
    const inside = (part: JsonValue): JsonValue => this.schema(part, trail, depth + 1);
    if (SCHEMAS.includes(keyword)) return inside(value);
    if (SCHEMA_LISTS.includes(keyword) && Array.isArray(value)) return value.map(inside);
    if (keyword !== SCHEMAS_BY_NAME || !isJsonObject(value)) return value;
    const named: Record<string, JsonValue> = {};
    for (const [name, part] of Object.entries(value)) {
      if (part !== undefined) setMember(named, name, inside(part));
    }
    return named;
  }
}

/** Documents that may have nothing next to `$ref` wrap it in an `allOf` of one. */
function referenceOf({ $ref, allOf }: JsonObject): string | undefined {
  if (typeof $ref === 'string') return $ref;
  if (!Array.isArray(allOf) || allOf.length !== 1) return undefined;
  const [only] = allOf as readonly JsonValue[];
  return isJsonObject(only) && typeof only.$ref === 'string' && Object.keys(only).length === 1
    ? only.$ref
    : undefined;
}

function decodeStep(step: string): string {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    throw new TypeError(`${goQuote(step)} is not a valid reference token`);
  }
}

/** The keywords of OpenAPI 3.0 for those of JSON Schema. */
function inOpenApi(value: JsonObject): JsonObject {
  const { const: constant, exclusiveMinimum, exclusiveMaximum, type, ...others } = value;
  return {
    ...others,
    ...typeOf(type),
    ...(constant !== undefined && { enum: [constant] }),
    ...boundOf('minimum', 'exclusiveMinimum', exclusiveMinimum),
    ...boundOf('maximum', 'exclusiveMaximum', exclusiveMaximum),
  };
}

function boundOf(bound: string, keyword: string, value: JsonValue | undefined): JsonObject {
  if (value === undefined) return {};
  return typeof value === 'boolean' ? { [keyword]: value } : { [bound]: value, [keyword]: true };
}

function typeOf(type: JsonValue | undefined): JsonObject {
  if (!Array.isArray(type)) return type === undefined ? {} : { type };
  const types = type as readonly JsonValue[];
  const named = types.filter((each) => each !== 'null');
  if (named.length !== 1) throw new TypeError(`the type must be one, not ${JSON.stringify(types)}`);
  return { type: named[0] as JsonValue, ...(named.length < types.length && { nullable: true }) };
}
