import { deepFreeze, type JsonObject, type JsonValue, runAtOnce, type Schema } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFieldSet, encodeFieldSetSteps } from '../fieldpath/field-set-codec.ts';
import { weighAll } from '../values/large-parts.ts';
import { compareTyped, compareTypedSteps } from './compare-typed.ts';
import { compileFieldType } from './field-type.ts';
import { fieldSetOf, fieldSetOfSteps } from './typed-field-set.ts';
import { validateTyped, validateTypedSteps } from './validate-typed.ts';

const text: Schema = { type: 'string' };
const type = compileFieldType({
  type: 'object',
  properties: {
    items: {
      type: 'array',
      listType: 'map',
      listMapKeys: ['name'],
      items: {
        type: 'object',
        properties: {
          name: text,
          value: text,
          labels: { type: 'object', additionalProperties: text },
          set: { type: 'array', listType: 'set', items: text },
          free: { type: 'object', preserveUnknownFields: true },
        },
      },
    },
  },
});

const value = fc.oneof(fc.constantFrom('a', 'b'), fc.constant(null), fc.constant(1));
const members = fc.record(
  {
    value,
    labels: fc.dictionary(fc.constantFrom('a', 'b', 'c'), value, { maxKeys: 2 }),
    set: fc.constantFrom([], ['a'], ['a', 'b']),
    free: fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 2 }),
    unknown: fc.constant('a'),
  },
  { requiredKeys: [] },
);
/** Few kinds of items, each repeated, so that there are many of one shape. */
const objects = fc.array(members, { minLength: 1, maxLength: 4 }).map((kinds): JsonObject => {
  const items = Array.from({ length: 200 }, (_, i) => ({ ...kinds[i % kinds.length], name: `n${i}` }));
  const object = deepFreeze({ items }) as unknown as JsonObject;
  runAtOnce(weighAll(object));
  return object;
});

describe('the items of a long list', () => {
  it('are valid or not as those of a short one are', () => {
    fc.assert(
      fc.property(objects, (object) => {
        expect(runAtOnce(validateTypedSteps(object, type))).toEqual(validateTyped(object, type));
      }),
    );
  });

  it('have the fields that those of a short one have', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const set = runAtOnce(fieldSetOfSteps(object, type));
        expect(runAtOnce(encodeFieldSetSteps(set))).toEqual(encodeFieldSet(fieldSetOf(object, type)));
      }),
    );
  });

  it('are added as those of a short one are', () => {
    fc.assert(
      fc.property(objects, (object) => {
        const { added } = runAtOnce(compareTypedSteps({}, object, type));
        const expected = compareTyped({} as JsonValue, object, type).added;
        expect(runAtOnce(encodeFieldSetSteps(added))).toEqual(encodeFieldSet(expected));
      }),
    );
  });
});
