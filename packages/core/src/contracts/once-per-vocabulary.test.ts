import { expect, it } from 'vitest';
import { oncePerVocabulary } from './once-per-vocabulary.ts';
import { kubernetesVocabulary, orchVocabulary } from './vocabulary.ts';

it('calls the function once per vocabulary', () => {
  const calls: string[] = [];
  const named = oncePerVocabulary(({ name }) => {
    calls.push(name);
    return { name };
  });
  expect(named(orchVocabulary)).toBe(named(orchVocabulary));
  expect(named(kubernetesVocabulary)).toEqual({ name: 'kubernetes' });
  expect(calls).toEqual(['orch', 'kubernetes']);
});
