import { describe, expect, it } from 'vitest';
import { requireKeyUnchanged, requireMetadataKeyUnchanged } from '../strategic/patch-conditions.ts';
import { createMergePatch, createThreeWayJsonMergePatch } from './create-merge-patch.ts';

describe('createMergePatch', () => {
  it('contains additions, changes and removals', () => {
    expect(
      createMergePatch({ a: 1, b: { c: 1, d: 2 }, e: [1] }, { b: { c: 1, d: 3 }, e: [1], f: null }),
    ).toEqual({
      a: null,
      b: { d: 3 },
      f: null,
    });
  });

  it('replaces a value of another type and any changed list', () => {
    expect(createMergePatch({ a: { b: 1 }, l: [1, 2] }, { a: [], l: [2, 1] })).toEqual({ a: [], l: [2, 1] });
  });
});

describe('createThreeWayJsonMergePatch', () => {
  it('sets wanted fields, removes those applied before, and keeps the rest', () => {
    const patch = createThreeWayJsonMergePatch(
      { a: 1, b: { x: 1 } },
      { a: 2, b: {} },
      { a: 1, b: { x: 1, y: 1 }, other: 1 },
    );
    expect(patch).toEqual({ a: 2, b: { x: null } });
  });

  it('checks preconditions', () => {
    const preconditions = [requireKeyUnchanged('kind'), requireMetadataKeyUnchanged('name')];
    const create = (modified: object) =>
      createThreeWayJsonMergePatch(
        {},
        { ...modified },
        { kind: 'A', metadata: { name: 'a' } },
        { preconditions },
      );
    expect(create({ kind: 'A', spec: 1 })).toEqual({ spec: 1 });
    expect(() => create({ kind: 'B' })).toThrow(
      expect.objectContaining({ kind: 'precondition', message: 'precondition failed for: map[kind:B]' }),
    );
    expect(() => create({ metadata: { name: 'b' } })).toThrow(
      'precondition failed for: map[metadata:map[name:b]]',
    );
  });
});
