import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { finalizerWarnings } from './finalizer-warnings.ts';

describe('finalizerWarnings', () => {
  it('prefer names with a domain and a path', () => {
    const known = ['orphan', 'foregroundDeletion', 'kubernetes'];
    expect(
      finalizerWarnings(kubernetesVocabulary, ['x', 'a.io', 'a.io/x', 'x', 'old', ...known], ['old']),
    ).toEqual([
      'metadata.finalizers: "a.io": prefer a domain-qualified finalizer name including a path (/) to avoid accidental conflicts with other finalizer writers',
      'metadata.finalizers: "x": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
    ]);
    expect(finalizerWarnings(orchVocabulary, ['orch', 'kubernetes'])).toEqual([
      expect.stringContaining('"kubernetes"'),
    ]);
    expect(finalizerWarnings(kubernetesVocabulary, undefined)).toEqual([]);
  });
});
