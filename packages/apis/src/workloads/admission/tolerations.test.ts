import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Toleration } from '../pods/placement-types.ts';
import { TolerationIndex } from './toleration-index.ts';
import { mergeTolerations } from './tolerations.ts';

const all: Toleration = { operator: 'Exists' };
const key: Toleration = { key: 'k', operator: 'Exists', effect: 'NoSchedule' };
const equal: Toleration = { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
const short: Toleration = { key: 'k', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 10 };
const long: Toleration = { ...short, tolerationSeconds: 20 };

describe('mergeTolerations', () => {
  it.each<[readonly Toleration[], readonly Toleration[], readonly Toleration[]]>([
    [[key], [key], [key]],
    [[all], [key, short], [all]],
    [[key], [all], [all]],
    [[equal], [key], [key]],
    [[short], [long], [long]],
    [[{ ...equal, value: 'w' }], [equal], [{ ...equal, value: 'w' }, equal]],
    [[{ ...key, key: 'l' }], [key], [{ ...key, key: 'l' }, key]],
    [[{ ...key, effect: 'NoExecute' }], [key], [{ ...key, effect: 'NoExecute' }, key]],
  ])('%j and %j', (first, second, merged) => {
    expect(mergeTolerations(first, second)).toEqual(merged);
  });
});

/** Tolerations as pods and annotations of namespaces may have them. */
const toleration: fc.Arbitrary<Toleration> = fc
  .record({
    key: fc.constantFrom(undefined, 'k', 'l'),
    operator: fc.constantFrom(undefined, 'Exists', 'Equal', 'Unknown'),
    value: fc.constantFrom(undefined, 'v', 'w'),
    effect: fc.constantFrom(undefined, 'NoSchedule', 'NoExecute'),
    tolerationSeconds: fc.constantFrom(undefined, -5, 0, 10, 20),
  })
  .map(({ key, operator, value, effect, tolerationSeconds }) => ({
    ...(key !== undefined && { key }),
    ...(key === undefined ? { operator: 'Exists' } : operator !== undefined && { operator }),
    ...(key !== undefined && operator !== 'Exists' && value !== undefined && { value }),
    ...(effect !== undefined && { effect }),
    ...(effect === 'NoExecute' && tolerationSeconds !== undefined && { tolerationSeconds }),
  }));

const isSame = (a: Toleration, b: Toleration): boolean =>
  (['key', 'operator', 'value', 'effect', 'tolerationSeconds'] as const).every((name) => a[name] === b[name]);

/** Whether one toleration tolerates everything that another one does. */
function includes(wide: Toleration, narrow: Toleration): boolean {
  if (isSame(wide, narrow)) return true;
  const { key = '', effect = '', operator = 'Equal', tolerationSeconds: longest } = wide;
  if ((narrow.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((narrow.effect ?? '') !== effect && effect !== '') return false;
  const seconds = narrow.tolerationSeconds ?? Number.POSITIVE_INFINITY;
  if (effect === 'NoExecute' && longest !== undefined && seconds > longest) return false;
  if (operator === 'Exists') return true;
  return operator === 'Equal' && narrow.operator === 'Equal' && narrow.value === wide.value;
}

/** What release 1.32 does, which compares each with all. */
function mergedByPairs(all: readonly Toleration[]): readonly Toleration[] {
  const merged: Toleration[] = [];
  for (const [i, each] of all.entries()) {
    const isIncluded =
      merged.some((other) => includes(other, each)) ||
      all.slice(i + 1).some((other) => !isSame(other, each) && includes(other, each));
    if (!isIncluded) merged.push(each);
  }
  return merged;
}

it('merges as comparing each with all would', () => {
  const some = fc.array(toleration, { maxLength: 8 });
  const property = fc.property(some, some, (first, second) => {
    expect(mergeTolerations(first, second)).toEqual(mergedByPairs([...first, ...second]));
  });
  fc.assert(property, { numRuns: 2000 });
});

it('finds what includes a toleration as comparing it with all would', () => {
  const property = fc.property(fc.array(toleration, { maxLength: 8 }), toleration, (all, narrow) => {
    expect(new TolerationIndex(all).includes(narrow)).toBe(all.some((wide) => includes(wide, narrow)));
  });
  fc.assert(property, { numRuns: 2000 });
});

it('merges a hundred thousand', () => {
  const many = Array.from({ length: 100_000 }, (_, i) => ({ ...key, key: `k${i}` }));
  expect(mergeTolerations(many, many)).toHaveLength(100_000);
});
