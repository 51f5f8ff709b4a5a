import type { JsonObject, JsonValue, Schema } from '@ashlar/core';
import fc from 'fast-check';

const MOST_DEPTH = 6;

/** Values of a built-in type's schema, in which most fields are absent. */
export function arbitraryOf(schema: Schema, depth = 0): fc.Arbitrary<JsonValue> {
  const byFormat = schema.format === undefined ? undefined : FORMATS[schema.format];
  if (byFormat) return byFormat;
  if (schema.intOrString) return fc.oneof(fc.integer({ min: 0, max: 99_999 }), fc.constant('25%'));
  if (schema.properties) return arbitraryStruct(schema.properties, depth);
  if (schema.items)
    return fc.array(arbitraryOf(schema.items, depth + 1), { maxLength: depth > MOST_DEPTH ? 0 : 2 });
  if (typeof schema.additionalProperties === 'object')
    return fc.dictionary(
      fc.stringMatching(/^[a-z]{1,5}$/),
      arbitraryOf(schema.additionalProperties, depth + 1),
      {
        maxKeys: 2,
      },
    );
  return SCALARS[schema.type ?? 'object'] ?? fc.constant({});
}

function arbitraryStruct(fields: Readonly<Record<string, Schema>>, depth: number): fc.Arbitrary<JsonObject> {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    fc.option(arbitraryOf(field, depth + 1), { nil: undefined, freq: depth > 0 ? 1 : 3 }),
  ]);
  return fc
    .record(Object.fromEntries(entries) as Record<string, fc.Arbitrary<JsonValue | undefined>>)
    .map(
      (object) =>
        Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as JsonObject,
    );
}

const text = fc.stringMatching(/^[a-z0-9.:/-]{0,8}$/);
const time = fc
  .integer({ min: 0, max: 2_000_000_000 })
  .map((seconds) => new Date(seconds * 1000).toISOString());

const FORMATS: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  quantity: fc.integer({ min: 0, max: 9999 }).map((amount) => `${amount}m`),
  byte: fc.uint8Array({ maxLength: 9 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  'date-time': time.map((moment) => moment.replace(/\.\d+/, '')),
  'date-time-micro': time.map((moment) => moment.replace(/\.(\d+)Z/, '.$1000Z')),
  'raw-extension': fc.constant({ a: [1, 'b'] }),
  'fields-v1': fc.constant({ 'f:a': {} }),
};

const SCALARS: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  string: text,
  boolean: fc.boolean(),
  integer: fc.integer(),
  number: fc.integer(),
  object: fc.constant({}),
};
