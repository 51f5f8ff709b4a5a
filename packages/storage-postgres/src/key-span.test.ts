import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInPrefix, keySpan } from './key-span.ts';

const keys = fc
  .array(fc.stringMatching(/^[a-z0-9.-]{1,3}$/), { minLength: 1, maxLength: 3 })
  .map((parts) => `/${parts.join('/')}`);
const prefixes = fc.oneof(
  fc.constant(''),
  keys,
  keys.map((key) => `${key}/`),
);

test('a span has the keys of its prefix, after another', () => {
  fc.assert(
    fc.property(keys, prefixes, fc.option(keys, { nil: undefined }), (key, prefix, after) => {
      const [from, until] = keySpan(prefix, after);
      const isAfter = after === undefined || key > after;
      expect(key >= from && key < until).toBe(isInPrefix(key, prefix) && isAfter);
    }),
  );
});
