import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileLabelRequirements } from './label-conditions.ts';
import { compileLabelRequirement, type LabelOperator, type LabelRequirement } from './label-requirement.ts';

const key = fc.constantFrom('a', 'b', 'c', '__proto__');
const value = fc.constantFrom('', 'x', 'y', '1', '2', '3', '-1');
const operators: readonly LabelOperator[] = ['=', '==', '!=', 'in', 'notin', 'exists', '!', 'gt', 'lt'];
const requirement: fc.Arbitrary<LabelRequirement> = fc.record({
  key,
  operator: fc.constantFrom(...operators),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
});

describe('compileLabelRequirements', () => {
  it('matches what all single requirements match', () => {
    const many = fc.array(requirement, { minLength: 1, maxLength: 3 });
    const labels = fc.array(fc.tuple(key, value), { maxLength: 4 });
    fc.assert(
      fc.property(many, labels, (requirements, entries) => {
        // repeated requirements add nothing, but there are too many to be evaluated one by one
        const repeated = Array.from({ length: 20 }, () => requirements).flat();
        const object = Object.fromEntries(entries);
        const expected = requirements.every((each) => compileLabelRequirement(each)(object));
        expect(compileLabelRequirements(repeated)(object)).toBe(expected);
        expect(compileLabelRequirements(requirements)(object)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it('looks up no more than the labels of an object', () => {
    const requirements = Array.from({ length: 10_000 }, (_, i) => ({
      key: `key-${i}`,
      operator: '!=' as const,
      values: ['x'],
    }));
    const matches = compileLabelRequirements(requirements);
    let read = 0;
    const labels = new Proxy<Record<string, string>>(
      { 'key-1': 'y', other: 'z' },
      {
        get: (target, name) => {
          read++;
          return target[name as string];
        },
        getOwnPropertyDescriptor: (target, name) => {
          read++;
          return Object.getOwnPropertyDescriptor(target, name);
        },
      },
    );
    expect(matches(labels)).toBe(true);
    expect(read).toBeLessThan(10);
  });
});
