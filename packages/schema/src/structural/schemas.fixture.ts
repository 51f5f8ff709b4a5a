import type { JsonValue, Schema } from '@ashlar/core';
import fc from 'fast-check';

const NAMES = ['a', 'b', 'c', 'metadata', 'kind', '__proto__', 'constructor'];
const name = fc.constantFrom(...NAMES);
const text = fc.constantFrom('', 'a', 'b', 'abc', '2024-01-02T03:04:05Z', '1s', '😀😀');
const number = fc.constantFrom(-1, 0, 1, 1.5, 2, 7, 2 ** 53);

/** Small values with the names and texts of {@link schemas}. */
export const values: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(null, true),
    text,
    number,
    fc.array(tie('value'), { maxLength: 4 }),
    membersOf(name, tie('value'), 4),
  ),
})).value;

/** Members of an object, of any names, without changing its prototype. */
function membersOf<T>(
  key: fc.Arbitrary<string>,
  value: fc.Arbitrary<T>,
  maxKeys: number,
): fc.Arbitrary<Record<string, T>> {
  return fc.dictionary(key, value, { maxKeys, noNullPrototype: true });
}

const size = fc.integer({ min: 0, max: 3 });
const bounds = fc.record(
  {
    nullable: fc.boolean(),
    enum: fc.array(fc.oneof(text, number), { minLength: 1, maxLength: 2 }),
    minLength: size,
    maxLength: size,
    pattern: fc.constantFrom('^a', 'b', '[0-9]'),
    format: fc.constantFrom('date-time', 'duration', 'int32', 'ipv4'),
    minimum: number,
    maximum: number,
    exclusiveMinimum: fc.boolean(),
    multipleOf: fc.constantFrom(1, 2, 0.5),
    minItems: size,
    maxItems: size,
    minProperties: size,
    maxProperties: size,
    required: fc.array(name, { maxLength: 2 }),
    preserveUnknownFields: fc.boolean(),
    intOrString: fc.boolean(),
  },
  { requiredKeys: [] },
);

/** Schemas of all kinds, valid or not. */
export const schemas: fc.Arbitrary<Schema> = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Schema>(
      {},
      { type: 'string' },
      { type: 'integer' },
      { type: 'number' },
      { type: 'boolean' },
    ),
    withBounds(fc.constantFrom<Schema>({ type: 'string' }, { type: 'integer' }, { type: 'number' }, {})),
    withBounds(
      fc.record({
        type: fc.constant<'array'>('array'),
        items: tie('schema'),
        listType: fc.constantFrom('atomic', 'set', 'map'),
        listMapKeys: fc.constant(['a']),
      }) as fc.Arbitrary<Schema>,
    ),
    withBounds(
      fc.record({ type: fc.constant<'object'>('object'), properties: membersOf(name, tie('schema'), 3) }),
    ),
    withBounds(
      fc.record({
        type: fc.constant<'object'>('object'),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      }),
    ),
    fc.record({
      type: fc.constant<'object'>('object'),
      anyOf: fc.array(tie('schema'), { maxLength: 2 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      allOf: fc.array(tie('schema'), { maxLength: 2 }),
      not: tie('schema'),
    }),
  ),
})).schema;

function withBounds(schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.tuple(schema, bounds).map(([own, more]) => {
    const some = Object.fromEntries(Object.entries(more).slice(0, 3)) as Schema;
    return { ...some, ...own };
  });
}
