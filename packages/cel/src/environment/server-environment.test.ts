import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { serverEnvironment } from './server-environment.ts';

describe('the environment of a server', () => {
  it.each([kubernetesVocabulary, orchVocabulary])('has no names for parts of expressions', (vocabulary) => {
    const compiled = serverEnvironment({ vocabulary }).compile('cel.bind(x, 1, x == 1)');
    expect(compiled.ok || compiled.text).toContain("undeclared reference to 'cel'");
  });
});
