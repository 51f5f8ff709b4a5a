import { describe, expect, it } from 'vitest';
import { createTokenDigest, tokenText } from './token-digest.ts';

const seeded = (seed: number) => createTokenDigest({ bytes: (into) => into.fill(seed) });

describe('tokenText', () => {
  it('distinguishes tokens and audiences, and none named from an empty list', () => {
    const texts = [
      tokenText('a', undefined),
      tokenText('b', undefined),
      tokenText('a', []),
      tokenText('a', ['b']),
      tokenText('a', ['b', 'c']),
      tokenText('a', ['b,c']),
      tokenText('a",["b"]', undefined),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('createTokenDigest', () => {
  it('is the HMAC of a text', async () => {
    const raw = new Uint8Array(64).fill(7);
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const text = new TextEncoder().encode('["ä"]');
    const expected = new Uint8Array(await crypto.subtle.sign('HMAC', key, text));
    expect(seeded(7)('["ä"]')).toBe(
      Array.from(expected, (byte) => byte.toString(16).padStart(2, '0')).join(''),
    );
  });

  it('distinguishes texts and keys', () => {
    const names = [seeded(7)('a'), seeded(7)('b'), seeded(8)('a')];
    expect(new Set(names).size).toBe(names.length);
    expect(names.every((name) => /^[0-9a-f]{64}$/.test(name))).toBe(true);
  });
});
