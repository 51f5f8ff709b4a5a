import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EtcdKeys, NOTHING } from './etcd-keys.ts';

describe('keys in etcd', () => {
  test('have the prefix', () => {
    for (const prefix of ['/registry', '/registry/', '/registry//'])
      expect(new EtcdKeys(prefix).toEtcd('/pods/a')).toBe('/registry/pods/a');
    expect(new EtcdKeys('').toEtcd('/pods/a')).toBe('/pods/a');
    expect(() => new EtcdKeys('registry')).toThrow(
      new TypeError('the prefix "registry" does not begin with /'),
    );
    expect(() => new EtcdKeys('').toEtcd('pods')).toThrow(
      new TypeError('the key "pods" does not begin with /'),
    );
  });

  test('form ranges of exactly the keys below a prefix that sort after `after`', () => {
    const key = fc.stringMatching(/^\/[ab/0]{0,4}$/);
    const prefix = fc.oneof(fc.constant(''), key);
    fc.assert(
      fc.property(prefix, fc.option(key, { nil: undefined }), key, (prefix, after, key) => {
        const { key: low, rangeEnd } = new EtcdKeys('/r').range(prefix, after);
        const found =
          rangeEnd === undefined ? `/r${key}` === low : `/r${key}` >= low && `/r${key}` < rangeEnd;
        const isBelow = prefix === '' || prefix.endsWith('/') ? key.startsWith(prefix) : key === prefix;
        expect(found).toBe(isBelow && (after === undefined || key > after));
      }),
      { numRuns: 2000 },
    );
  });

  test('an entry retains nothing but its value', () => {
    const result = Buffer.alloc(100_000);
    const kv = { key: '/r/a', value: result.subarray(10, 20), createRevision: 3, modRevision: 3, version: 1 };
    const { key, value, revision } = new EtcdKeys('/r').entryOf(kv);
    expect([key, value.length, value.buffer.byteLength, revision]).toEqual(['/a', 10, 10, 3]);
  });

  test('an empty range is detected without a request', () => {
    const keys = new EtcdKeys('/r');
    expect([keys.range('/a', '/a'), keys.range('/a/', '/b'), keys.range('/a', '/b')]).toEqual([
      NOTHING,
      NOTHING,
      NOTHING,
    ]);
  });
});
