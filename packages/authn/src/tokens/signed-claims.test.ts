import { encodeJson } from '@ashlar/codec';
import { toBase64Url } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readToken } from './signed-claims.ts';

const part = (value: object): string => toBase64Url(encodeJson(value as never));
const token = `${part({ alg: 'ES256', kid: 'one' })}.${part({ iss: 'me' })}.c2ln`;

describe('readToken', () => {
  it('returns the claims of a signed token', () => {
    expect(readToken(token)).toEqual({ header: { alg: 'ES256', kid: 'one' }, claims: { iss: 'me' } });
  });

  it.each([
    ['padding behind the signature', `${token}=`],
    ['padding behind the header', token.replace('.', '=.')],
    ['a line end', `${token}\n`],
    ['the alphabet of base64', `${token}+/`],
    ['no signature', token.slice(0, token.lastIndexOf('.') + 1)],
    ['a part more', `${token}.c2ln`],
    ['a signature that is cut short', `${token}x`],
  ])('rejects a token with %s', (_name, text) => expect(readToken(text)).toBeUndefined());

  it.each([
    ['a key of another type', '{"alg":"ES256","kid":1}', undefined],
    ['an algorithm of another type', '{"alg":1}', undefined],
    ['two keys', '{"alg":"ES256","kid":"a","kid":"b"}', undefined],
    ['two algorithms', '{"alg":"none","alg":"ES256"}', undefined],
    ['a payload that is not encoded', '{"alg":"ES256","b64":false}', undefined],
    ['no name of a key', '{"alg":"ES256","kid":""}', { alg: 'ES256' }],
    ['none', '{"alg":"ES256","kid":null}', { alg: 'ES256' }],
  ])('reads a header with %s', (_name, header, found) => {
    const head = toBase64Url(new TextEncoder().encode(header));
    expect(readToken(`${head}.${part({ iss: 'me' })}.c2ln`)?.header).toEqual(found);
  });

  it('never fails, and parses a token once', () => {
    const noise = fc.string({ unit: fc.constantFrom('.', 'e30', 'W10', '=', '-', '_', '\n', 'a', part({})) });
    fc.assert(
      fc.property(fc.oneof(noise, fc.string()), (text) => typeof (readToken(text) ?? {}) === 'object'),
    );
    for (const text of [
      `${'e30.'.repeat(300_000)}!`,
      `e30.${'A'.repeat(1_000_000)}.c2ln`,
      '.'.repeat(1_000_000),
    ])
      expect(readToken(text)).toBeUndefined();
  });
});
