import { describe, expect, it } from 'vitest';
import { overlapWarnings } from './overlapping-paths.ts';
import type { Volume } from './volume-types.ts';

const projected = (...sources: object[]): readonly string[] =>
  overlapWarnings([{ name: 'v', projected: { sources } } as unknown as Volume]);

const map = (name: string, ...paths: string[]): object => ({
  configMap: { name, ...(paths.length > 0 && { items: paths.map((path) => ({ key: path, path })) }) },
});

describe('files of projections', () => {
  it('overlap with earlier ones, in the order of the sources', () => {
    expect(projected(map('a', 'x'), {}, map('b', 'x/y'), {})).toEqual([
      'volume "v" (Projected) has no sources provided',
      'volume "v" (Projected): overlapping paths: "x/y" (ConfigMap "b") with "x" (ConfigMap "a")',
      'volume "v" (Projected) has no sources provided',
    ]);
  });

  it('are those of the source before, as in release 1.32, where a source lists none', () => {
    const same = 'volume "v" (Projected): overlapping paths: "x" (ConfigMap "a") with "x" (ConfigMap "a")';
    expect(projected(map('a', 'x'), map('b'))).toEqual([same]);
    expect(projected(map('a', 'x'), { secret: { name: 's' } })).toEqual([same]);
    expect(projected(map('a'), map('b', 'x'))).toEqual([]);
  });

  it('are read up to a number of them', () => {
    const many = Array.from({ length: 5000 }, (_, index) => map('a', `f${index}`));
    expect(projected(...many, map('b', 'x'), map('b', 'x'))).toEqual([]);
    const listed = map('a', ...Array.from({ length: 4000 }, (_, index) => `f${index}`));
    expect(projected(listed, ...Array.from({ length: 4000 }, () => map('b')))).toHaveLength(100);
  });
});
