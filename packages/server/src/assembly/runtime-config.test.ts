import { apiServices } from '@ashlar/aggregation';
import { orchVocabulary } from '@ashlar/core';
import { readRuntimeConfig } from '@ashlar/lifecycle';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { configuredVersions, RuntimeConfigError, withRuntimeConfig } from './runtime-config.ts';

describe('withRuntimeConfig', () => {
  const definition = apiServices(orchVocabulary);
  const { group, names } = definition;
  const beta = {
    ...definition,
    group: 'beta.example.com',
    versions: [{ ...definition.versions[0], name: 'v1beta1', served: false }],
  } as ResourceDefinition;
  const configure = (text: string, needed: readonly string[] = []) =>
    configuredVersions(readRuntimeConfig(text), [definition, beta], needed);
  const served = (text: string): readonly boolean[] =>
    withRuntimeConfig(definition, configure(text)).versions.map((version) => version.served);

  it('applies entries of versions, and entries of resources before them', () => {
    expect(served('')).toEqual([true]);
    expect(served(`${group}/v1=false`)).toEqual([false]);
    expect(served(`${group}/v1=false,${group}/v1/${names.plural}`)).toEqual([true]);
    expect(served(`${group}/v1/${names.plural}=false,${group}/v1`)).toEqual([false]);
    expect(withRuntimeConfig(definition, undefined)).toBe(definition);
  });

  it('does not disable what the server needs', () => {
    const own = `${group}/v1/${names.plural}`;
    const check = (text: string) => configure(text, [own]);
    expect(() => check(`${group}/v1=false,${own}`)).not.toThrow();
    for (const text of [`${group}/v1=false`, `${own}=false`, 'api/ga=false'])
      expect(() => check(text)).toThrow(`the server itself needs ${own}, which cannot be switched off`);
  });

  it('applies entries of stages first', () => {
    const on = (text: string) =>
      withRuntimeConfig(beta, configure(text)).versions.map((version) => version.served);
    expect([on(''), on('api/beta=true'), on('api/all=true')].flat()).toEqual([false, true, true]);
    expect(on('api/beta=true,beta.example.com/v1beta1=false')).toEqual([false]);
  });

  it('rejects unknown groups, versions and resources, and what is no key or value', () => {
    expect(() => configure(`${group}/v1=false,${group}/v1/${names.plural}`)).not.toThrow();
    for (const [text, message] of [
      ['other/v1', 'unknown api groups other'],
      [`${group}/v2`, `group version ${group}/v2 that has not been registered`],
      [`${group}/v1/others`, `there is no ${group}/v1/others that could be switched`],
      ['v1=false', 'runtime-config invalid key v1'],
      ['a/b/c/d', 'runtime-config invalid key a/b/c/d'],
      [
        `${group}/v1=no`,
        `invalid value of ${group}/v1: no, err: strconv.ParseBool: parsing "no": invalid syntax`,
      ],
      ['api/all=false', 'invalid key with only api/all=false'],
      ['api/beta=1', 'invalid value api/beta=1'],
    ] as const)
      expect(() => configure(text)).toThrow(new RuntimeConfigError(message));
  });
});
