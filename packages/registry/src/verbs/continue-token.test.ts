import { kubernetesVocabulary, orchVocabulary, ParseError, StatusError, toBase64Url } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeContinueKey,
  decodeContinueToken,
  encodeContinueKey,
  encodeContinueToken,
} from './continue-token.ts';

const PREFIX = '/registry/pods/';
const tokenOf = (json: string): string => toBase64Url(new TextEncoder().encode(json));
const segment = fc.stringMatching(/^[a-z0-9.:ü<&-]+$/).filter((text) => text !== '.' && text !== '..');

describe('continue tokens', () => {
  it('continue where the list stopped', () => {
    const revision = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), revision, (segments, at) => {
        const position = { revision: at, after: PREFIX + segments.join('/') };
        const token = encodeContinueToken(position, PREFIX, orchVocabulary);
        expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeContinueToken(token, PREFIX, orchVocabulary)).toEqual(position);
      }),
    );
  });

  it('equal those of other implementations', () => {
    const token = encodeContinueKey(
      { key: '/registry/x/a"b<c>', revision: 9007199254740993n },
      '/registry/x/',
      kubernetesVocabulary,
    );
    expect(new TextDecoder().decode(Buffer.from(token, 'base64url'))).toBe(
      '{"v":"meta.k8s.io/v1","rv":9007199254740993,"start":"a\\"b\\u003cc\\u003e"}',
    );
  });

  it('require a key below the prefix', () => {
    expect(() => encodeContinueToken({ revision: 1, after: '/other/a' }, PREFIX, orchVocabulary)).toThrow(
      TypeError,
    );
    expect(() => encodeContinueToken({ revision: 1, after: '/a' }, '', orchVocabulary)).toThrow(TypeError);
  });

  it.each([
    ['{}', 'server does not recognize this encoded version '],
    ['null', 'server does not recognize this encoded version '],
    [
      '{"v":"meta.k8s.io/v1","rv":1,"start":"a"}',
      'server does not recognize this encoded version meta.k8s.io/v1',
    ],
    [
      '{"v":"meta.orch.io/v1","start":"a"}',
      'incorrect encoded start resourceVersion (version meta.orch.io/v1)',
    ],
    ['{"v":"meta.orch.io/v1","rv":1}', 'encoded start key empty (version meta.orch.io/v1)'],
    ['{"v":"meta.orch.io/v1","rv":1,"start":"../a"}', '../a'],
    ['{"v":"meta.orch.io/v1","rv":1,"start":"a/./b"}', 'a/./b'],
    ['{"v":"meta.orch.io/v1","rv":1,"start":"a/"}', 'a/'],
    ['{"v":"meta.orch.io/v1","rv":1,"start":"//a"}', '//a'],
    ['{"v":1}', 'json: cannot unmarshal number into Go struct field continueToken.v of type string'],
    ['{"rv":"1"}', 'json: cannot unmarshal string into Go struct field continueToken.rv of type int64'],
    ['{"rv":1.5}', 'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64'],
    ['{"start":[]}', 'json: cannot unmarshal array into Go struct field continueToken.start of type string'],
    ['[]', 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    ['1', 'json: cannot unmarshal number into Go value of type storage.continueToken'],
    ['x', "invalid character 'x' looking for beginning of value"],
  ])('rejects %s', (json, why) => {
    expect(() => decodeContinueKey(tokenOf(json), PREFIX, orchVocabulary)).toThrow(
      new ParseError(`continue key is not valid: ${why}`),
    );
  });

  it('are rejected with a 400', () => {
    const refusal = StatusError.badRequest(
      'invalid continue token: continue key is not valid: illegal base64 data at input byte 0',
    );
    expect(() => decodeContinueToken('%', PREFIX, orchVocabulary)).toThrow(refusal);
    expect(() => decodeContinueToken('%', PREFIX, orchVocabulary)).toThrow(StatusError);
  });

  it('accept fields in any case, use the last of each, and ignore unknown ones', () => {
    const token = tokenOf(
      '{"V":"meta.orch.io/v1","rv":5,"RV":6,"start":"b","Start":"/a","extra":[{}],"v":null}',
    );
    expect(decodeContinueKey(token, PREFIX, orchVocabulary)).toEqual({ key: `${PREFIX}a`, revision: 6n });
  });

  it('never leave the prefix, and throw nothing but ParseError', () => {
    const start = fc.string({ unit: fc.constantFrom('.', '/', 'a', '\0') });
    fc.assert(
      fc.property(start, (text) => {
        const token = tokenOf(JSON.stringify({ v: 'meta.orch.io/v1', rv: 1, start: text }));
        try {
          const { key } = decodeContinueKey(token, PREFIX, orchVocabulary);
          expect(key.startsWith(PREFIX)).toBe(true);
          expect(key.split('/')).not.toContain('..');
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
  });

  // reading any of them again from each position would take hours
  it.each([
    ['letters', 'A'.repeat(2_000_000)],
    ['a start of many levels', tokenOf(`{"v":"meta.orch.io/v1","rv":1,"start":"${'a/'.repeat(500_000)}/"}`)],
    ['many fields', tokenOf(`{${'"a":1,'.repeat(200_000)}"rv":0}`)],
  ])('are read in linear time: %s', (_, token) => {
    expect(() => decodeContinueToken(token, PREFIX, orchVocabulary)).toThrow(StatusError);
  });
});
