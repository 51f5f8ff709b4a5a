import type { JsonValue, Schema } from '@ashlar/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileTyped } from './typed-decode.ts';

const fields: Record<string, Schema> = {
  always: { type: 'string', alwaysPrinted: true },
  text: { type: 'string' },
  flag: { type: 'boolean' },
  optional: { type: 'boolean', optional: true },
  both: { type: 'string', optional: true, alwaysPrinted: true },
};
const codecOf = (properties: Record<string, Schema>) =>
  compileTyped({
    type: 'object',
    typeName: 'x.Thing',
    properties: { items: { type: 'array', items: { type: 'object', typeName: 'x.Item', properties } } },
  });
const plain = codecOf(fields);
/** The same with a field that may become another, whose items are always printed anew. */
const other = codecOf({ ...fields, more: { type: 'array', items: { type: 'string' } } });

const member = fc.constantFrom<JsonValue>('', 'a', true, false, null, 1, {}, []);
const item = fc
  .array(fc.tuple(fc.constantFrom(...Object.keys(fields), 'unknown', '__proto__'), member), { maxLength: 6 })
  .map((entries) => Object.fromEntries(entries) as JsonValue);

function outcome(codec: typeof plain, value: JsonValue, asText: boolean): string {
  const reported: string[] = [];
  const report = ({ path }: { readonly path: string }): void => void reported.push(path);
  try {
    const decoded = asText ? codec.decodeText(JSON.stringify(value), report) : codec.decode(value, report);
    return JSON.stringify([decoded, reported]);
  } catch (error) {
    return (error as Error).message;
  }
}

it('values in the form in which they are printed are decoded as all others', () => {
  fc.assert(
    fc.property(fc.array(item, { maxLength: 3 }), fc.boolean(), (items, asText) => {
      expect(outcome(plain, { items }, asText)).toBe(outcome(other, { items }, asText));
    }),
    { numRuns: 500 },
  );
});

it.each<[string, JsonValue, boolean]>([
  ['all fields in order', { always: 'a', text: 'b', flag: true, optional: false, both: '' }, true],
  ['those that are always printed', { always: '', both: 'a' }, true],
  ['another order', { both: 'a', always: '' }, false],
  ['an empty field', { always: '', text: '', both: '' }, false],
  ['a missing field', { always: '' }, false],
  ['a null', { always: 'a', optional: null, both: 'a' }, false],
])('a value with %s', (_, value, isShared) => {
  const decoded = plain.decode({ items: [value] }, () => {}) as { items: JsonValue[] };
  expect(decoded.items[0] === value).toBe(isShared);
});
