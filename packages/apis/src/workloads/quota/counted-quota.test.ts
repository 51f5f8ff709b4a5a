import { parseQuantity } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { CountedQuota } from './counted-quota.ts';

const amounts = (given: Readonly<Record<string, string>>) =>
  new Map(Object.entries(given).map(([name, text]) => [name, parseQuantity(text)] as const));
const quotaOf = (hard: Readonly<Record<string, string>>, used: object): ResourceQuota =>
  ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, status: { hard, used } }) as never;

describe('a quota to which writes are added', () => {
  it('of thousands of names is copied once for all of them, and looked at by the names that they use', () => {
    const hard = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`count/r${i}`, '5']));
    let listed = 0;
    const used = new Proxy(Object.fromEntries(Object.keys(hard).map((name) => [name, '0'])), {
      ownKeys: (target) => {
        listed++;
        return Reflect.ownKeys(target);
      },
    });
    const counted = new CountedQuota(quotaOf(hard, used));
    for (let i = 0; i < 5; i++) expect(counted.add(amounts({ 'count/r7': '1' }))).toBeUndefined();
    expect(listed).toBe(0);
    const { result } = counted;
    expect(listed).toBe(1);
    expect(result.status?.used).toEqual({ ...used, 'count/r7': '5' });
    expect(Object.keys(result.status?.used ?? {})[7]).toBe('count/r7');
  });

  it('keeps what was added when a later one does not fit, and nothing of that one', () => {
    const counted = new CountedQuota(quotaOf({ a: '2', b: '1' }, { a: '0', b: '1' }));
    counted.add(amounts({ a: '1' }));
    expect(counted.add(amounts({ a: '1', b: '1' }))).toBe(
      'exceeded quota: q, requested: b=1, used: b=1, limited: b=1',
    );
    expect(counted.used('a')).toBe('1');
    expect(counted.result.status?.used).toEqual({ a: '1', b: '1' });
  });

  it('is the same one if nothing was added', () => {
    const quota = quotaOf({ a: '2' }, { a: '0' });
    const counted = new CountedQuota(quota);
    counted.add(amounts({ other: '1' }));
    expect(counted.result).toBe(quota);
  });
});
