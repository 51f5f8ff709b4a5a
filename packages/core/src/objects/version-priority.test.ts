import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareApiVersions, sortApiVersions } from './version-priority.ts';

describe('priority of API versions', () => {
  it('sorts stable before beta before alpha, and others last alphabetically', () => {
    const sorted = [
      'v10',
      'v2',
      'v1',
      'v11beta2',
      'v10beta3',
      'v3beta1',
      'v12alpha1',
      'v11alpha2',
      'foo1',
      'foo10',
    ];
    expect(sortApiVersions([...sorted].reverse())).toEqual(sorted);
  });

  it('does not treat other forms as versions', () => {
    for (const text of ['V1', 'v', 'v1.1', 'v1beta', 'v1rc1', '1', 'v99999999999999999999']) {
      expect(compareApiVersions(text, 'v0alpha0'), text).toBe(-1);
    }
  });

  it('is a total order', () => {
    const version = fc.constantFrom('v1', 'v01', 'v2', 'v1beta1', 'v1beta2', 'v2alpha1', 'foo', 'Foo', '');
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(compareApiVersions(a, b) + compareApiVersions(b, a)).toBe(0);
        if (compareApiVersions(a, b) >= 0 && compareApiVersions(b, c) >= 0) {
          expect(compareApiVersions(a, c)).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});
