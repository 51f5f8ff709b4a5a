import { describe, expect, it } from 'vitest';
import { scopesErrors } from '../resources/quota-scopes.ts';
import { portWarnings } from './port-warnings.ts';
import { overlapWarnings } from './volumes/overlapping-paths.ts';

const COUNT = 50_000;
const repeated = <T>(item: T): readonly T[] => Array.from({ length: COUNT }, () => item);

// none of these finishes in the time of a test if each item is compared with all before it
describe('lists as long as a document', () => {
  it.each([
    ['the same ports', () => ({ containerPort: 80 })],
    ['ports of other hosts', (i: number) => ({ containerPort: 80, hostPort: (i % 65_535) + 1 })],
  ])('of %s have few warnings', (_what, portOf) => {
    const ports = Array.from({ length: COUNT }, (_, i) => portOf(i));
    expect(portWarnings({ containers: [{ name: 'c', ports }] }, 'spec').length).toBeLessThan(300);
  });

  it('of paths have few warnings', () => {
    const volumeOf = (items: readonly { readonly path: string }[]) => [{ name: 'v', configMap: { items } }];
    expect(overlapWarnings(volumeOf(repeated({ path: 'a' }))).length).toBeLessThan(300);
    const different = Array.from({ length: COUNT }, (_, i) => ({ path: `p${i}` }));
    expect(overlapWarnings(volumeOf(different))).toEqual([]);
  });

  it('of scopes and resources have few errors', () => {
    const hard = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`count/a${i}.b`, '1']));
    const spec = { hard: { ...hard, pods: '1' }, scopes: repeated('BestEffort') };
    expect(scopesErrors(spec, 'spec').length).toBeLessThan(300);
  });
});
