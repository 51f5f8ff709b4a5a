import { apiServices } from '@ashlar/aggregation';
import { orchVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkRuntimeConfig,
  parseRuntimeConfig,
  RuntimeConfigError,
  withRuntimeConfig,
} from './runtime-config.ts';

describe('parseRuntimeConfig', () => {
  it.each([
    ['a.b/v1', { 'a.b/v1': true }],
    ['a.b/v1=true,a.b/v2=false', { 'a.b/v1': true, 'a.b/v2': false }],
    ['a.b/v1/things=false,a.b/v1/things', { 'a.b/v1/things': true }],
  ])('reads %s', (text, values) => {
    expect(Object.fromEntries(parseRuntimeConfig(text))).toEqual(values);
  });

  it.each([
    ['', ' is neither <group>/<version> nor <group>/<version>/<resource>'],
    ['v1=false', 'v1 is neither <group>/<version> nor <group>/<version>/<resource>'],
    ['a/b/c/d', 'a/b/c/d is neither <group>/<version> nor <group>/<version>/<resource>'],
    ['a/v1=no', 'the value of a/v1=no is neither true nor false'],
    ['a/v1=', 'the value of a/v1= is neither true nor false'],
  ])('rejects %j', (text, why) => {
    expect(() => parseRuntimeConfig(text)).toThrow(new Error(why));
  });

  it('parses any text or throws an Error with a reason', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'av1/,=true') }), (text) => {
        try {
          expect([...parseRuntimeConfig(text).keys()].join()).toContain('/');
        } catch (error) {
          expect((error as Error).message).toMatch(/ is neither /);
        }
      }),
    );
  });
});

describe('withRuntimeConfig', () => {
  const definition = apiServices(orchVocabulary);
  const { group, names } = definition;
  const served = (text: string): readonly boolean[] =>
    withRuntimeConfig(definition, parseRuntimeConfig(text)).versions.map((version) => version.served);

  it('applies entries of versions, and entries of resources before them', () => {
    expect(served('other/v1=false')).toEqual([true]);
    expect(served(`${group}/v1=false`)).toEqual([false]);
    expect(served(`${group}/v1=false,${group}/v1/${names.plural}`)).toEqual([true]);
    expect(served(`${group}/v1/${names.plural}=false,${group}/v1`)).toEqual([false]);
    expect(withRuntimeConfig(definition, undefined)).toBe(definition);
  });

  it('does not disable what the server needs', () => {
    const own = `${group}/v1/${names.plural}`;
    const check = (text: string) => checkRuntimeConfig(parseRuntimeConfig(text), [definition], [own]);
    expect(() => check(`${group}/v1=false,${own}`)).not.toThrow();
    for (const text of [`${group}/v1=false`, `${own}=false`])
      expect(() => check(text)).toThrow(`the server itself needs ${own}, which cannot be switched off`);
  });

  it('rejects unknown versions and resources', () => {
    const needed: readonly string[] = [];
    const check = (text: string) => checkRuntimeConfig(parseRuntimeConfig(text), [definition], needed);
    expect(() => check(`${group}/v1=false,${group}/v1/${names.plural}`)).not.toThrow();
    for (const text of ['other/v1', `${group}/v2`, `${group}/v1/others`])
      expect(() => check(text)).toThrow(new RuntimeConfigError(`there is no ${text} that could be switched`));
  });
});
