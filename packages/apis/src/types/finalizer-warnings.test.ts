import { describe, expect, it } from 'vitest';
import { finalizerWarnings } from './finalizer-warnings.ts';

describe('finalizerWarnings', () => {
  it('prefer names with a domain and a path', () => {
    expect(
      finalizerWarnings(['x', 'a.io', 'a.io/x', 'orphan', 'foregroundDeletion', 'old'], ['old']),
    ).toEqual([
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "a.io": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
    ]);
    expect(finalizerWarnings(undefined)).toEqual([]);
  });
});
