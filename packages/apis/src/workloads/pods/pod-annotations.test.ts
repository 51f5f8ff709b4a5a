import { fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { podAnnotationsErrors } from './pod-annotations.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('annotations of pods of $name', (vocabulary) => {
  const name = `scheduler.alpha.${vocabulary.labelDomain}/tolerations`;
  it.each([
    ['', []],
    ['[{"key":"a","operator":"Exists"}]', []],
    [
      'x',
      [
        `metadata.annotations: Invalid value: "${name}": invalid character 'x' looking for beginning of value`,
      ],
    ],
    [
      '[{"key":"a","effect":"b"}]',
      [
        `metadata.annotations.${name}[0].effect: Unsupported value: "b": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`,
      ],
    ],
  ])('are validated as tolerations: %s', (text, expected) => {
    const path = 'metadata.annotations';
    expect(podAnnotationsErrors({ [name]: text }, {}, vocabulary, path).map(fieldErrorText)).toEqual(
      expected,
    );
  });
});
