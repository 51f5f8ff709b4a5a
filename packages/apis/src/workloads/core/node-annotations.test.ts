import { fieldErrorText, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { nodeAnnotationsErrors } from './node-annotations.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('annotations of nodes of $name', (vocabulary) => {
  const domain = `scheduler.alpha.${vocabulary.labelDomain}`;
  const path = 'metadata.annotations';
  const texts = (what: string, value: string): readonly string[] =>
    nodeAnnotationsErrors({ annotations: { [`${domain}/${what}`]: value } }, vocabulary).map(fieldErrorText);

  it.each([
    ['', []],
    ['null', []],
    ['[]', []],
    ['[{"key":"a","Effect":"NoSchedule","more":1}]', []],
    [
      'x',
      [`${path}: Invalid value: "${domain}/taints": invalid character 'x' looking for beginning of value`],
    ],
    [
      '{}',
      [
        `${path}: Invalid value: "${domain}/taints": json: cannot unmarshal object into Go value of type []core.Taint`,
      ],
    ],
    ['[{"key":"a"}]', [`${path}.${domain}/taints[0].effect: Required value`]],
  ])('are validated as taints: %s', (value, expected) => {
    expect(texts('taints', value)).toEqual(expected);
  });

  const avoid = (owner: string): string =>
    `{"preferAvoidPods":[{"podSignature":{"podController":${owner}}}]}`;
  const signature = `${path}.${domain}/preferAvoidPods[0].PodSignature`;
  it.each([
    ['{}', []],
    [avoid('{"kind":"ReplicaSet","controller":true}'), []],
    ['{"preferAvoidPods":[{}]}', [`${signature}: Required value`]],
    [avoid('null'), [`${signature}: Required value`]],
    [
      avoid('{"controller":false}'),
      [`${signature}.PodController.Controller: Invalid value: false: must point to a controller`],
    ],
    [
      '[]',
      [
        `${path}.AvoidPods: Invalid value: "${domain}/preferAvoidPods": json: cannot unmarshal array into Go value of type v1.AvoidPods`,
      ],
    ],
    [
      '{} x',
      [
        `${path}.AvoidPods: Invalid value: "${domain}/preferAvoidPods": invalid character 'x' after top-level value`,
      ],
    ],
  ])('are validated as pods to avoid: %s', (value, expected) => {
    expect(texts('preferAvoidPods', value)).toEqual(expected);
  });
});
