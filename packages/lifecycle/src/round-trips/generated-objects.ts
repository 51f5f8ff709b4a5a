import type { JsonObject, JsonValue, Schema } from '@ashlar/core';

/** Objects with every member, each with other values of enumerations. */
const FULL = 24;
/** Objects with some of the members that are not required, besides. */
const PARTIAL = 8;
/** Members below are generated only if they are required. */
const MAXIMUM_DEPTH = 12;
/** Values of an object; what is not required is left out after as many. */
const MAXIMUM_VALUES = 2000;

/**
 * Generates objects of a schema, the same ones every time: some with every member, so that each value of an enumeration is there, one with
 * the required members, and some with others. Values need not match patterns or rules.
 */
export function* generatedObjects(schema: Schema): Iterable<JsonObject> {
  for (let variant = 0; variant <= FULL + PARTIAL; variant++)
    yield new Generation(variant).value(schema, 0, 'object') as JsonObject;
}

class Generation {
  readonly #variant: number;
  #state: number;
  #values = 0;

  constructor(variant: number) {
    this.#variant = variant;
    this.#state = variant + 1;
  }

  value(schema: Schema, depth: number, name: string): JsonValue {
    this.#values++;
    const { enum: values = [], intOrString } = schema;
    if (values.length > 0) return values[this.#variant % values.length] as JsonValue;
    if (intOrString) return this.#variant % 2 === 0 ? this.#number(schema) : name;
    switch (schema.type) {
      case 'array':
        return this.#list(schema, depth, name);
      case 'string':
        return this.#text(schema, name);
      case 'integer':
      case 'number':
        return this.#number(schema);
      case 'boolean':
        return this.#next() < 0.5;
      default:
        return this.#object(schema, depth);
    }
  }

  #object(schema: Schema, depth: number): JsonObject {
    const { properties = {}, required = [], additionalProperties: values } = schema;
    const members = Object.entries(properties)
      .filter(([name]) => required.includes(name) || this.#isWanted(depth))
      .map(([name, member]) => [name, this.value(member, depth + 1, name)] as const);
    const isOpen = schema.preserveUnknownFields || values === true;
    const more = typeof values === 'object' ? values : isOpen ? ({ type: 'string' } as const) : undefined;
    if (more === undefined || !this.#isWanted(depth)) return Object.fromEntries(members);
    return { ...Object.fromEntries(members), generated: this.value(more, depth + 1, 'generated') };
  }

  #list({ items = {}, minItems = 0, maxItems = 2 }: Schema, depth: number, name: string): JsonValue {
    const length = Math.min(Math.max(minItems, this.#isWanted(depth) ? 2 : 0), maxItems);
    return Array.from({ length }, (_, index) => this.value(items, depth + 1, `${name}-${index}`));
  }

  #text({ minLength = 0, maxLength = 64 }: Schema, name: string): string {
    return name.padEnd(minLength, 'x').slice(0, maxLength);
  }

  #number({ minimum, maximum, exclusiveMinimum, multipleOf = 1 }: Schema): number {
    const least = (minimum ?? Math.min(1, maximum ?? 1)) + (exclusiveMinimum ? 1 : 0);
    return Math.ceil(least / multipleOf) * multipleOf;
  }

  /** Whether a member that is not required is there: always in the first objects, never in the next. */
  #isWanted(depth: number): boolean {
    if (this.#variant === FULL || depth >= MAXIMUM_DEPTH || this.#values >= MAXIMUM_VALUES) return false;
    return this.#variant < FULL || this.#next() < 0.5;
  }

  /** A number from 0 to 1, the next of a fixed sequence. */
  #next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
