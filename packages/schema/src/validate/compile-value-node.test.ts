import { type FieldError, type JsonValue, runAtOnce, type Schema } from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileLinearPattern } from '../formats/pattern.ts';
import { compileValueNode } from './compile-value-node.ts';
import { Correlation } from './correlation.ts';
import { Pace } from './value-node.ts';

const member: fc.Arbitrary<Schema> = fc.constantFrom<Schema>(
  { type: 'string', maxLength: 1, enum: ['a'] },
  { type: 'integer', minimum: 2 },
  { type: 'integer', anyOf: [{ minimum: 2 }, { maximum: 0 }] },
);
const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom('a', 'bc', 1, 3, true, null);
const object = fc.record({ a: scalar, b: scalar, c: scalar }, { requiredKeys: [] });
const MANY = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`more${i}`, i]));

it('finds the same errors in objects of few scalars, which are checked without pauses, and in others', () => {
  const errors = (schema: Schema, value: JsonValue, old: JsonValue): readonly FieldError[] => {
    const found: FieldError[] = [];
    const correlation = new Correlation(value, old, schema);
    const node = compileValueNode(schema, compileLinearPattern).whole;
    runAtOnce(node.check(value, '', found, new Pace(), correlation));
    return found;
  };
  fc.assert(
    fc.property(member, member, object, object, (a, b, value, old) => {
      const item: Schema = { type: 'object', properties: { a, b }, required: ['b', 'd'] };
      const schema: Schema = { type: 'object', properties: { spec: item } };
      const few = errors(schema, { spec: value as JsonValue }, { spec: old as JsonValue });
      const many = errors(schema, { spec: { ...value, ...MANY } }, { spec: { ...old, ...MANY } });
      // undescribed members make the object another one, so that what it lacks does not become old
      const isSame = JSON.stringify(value) === JSON.stringify(old);
      if (!isSame) expect(few).toEqual(many);
      expect(few.length).toBeLessThanOrEqual(many.length);
    }),
  );
});
