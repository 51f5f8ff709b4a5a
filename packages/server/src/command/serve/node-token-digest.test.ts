import { describe, expect, it } from 'vitest';
import { createNodeTokenDigest } from './node-token-digest.ts';

const seeded = (seed: number) => createNodeTokenDigest({ bytes: (into) => into.fill(seed) });

describe('createNodeTokenDigest', () => {
  it('is the HMAC of a text', async () => {
    const raw = new Uint8Array(64).fill(7);
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const text = new TextEncoder().encode('["ä"]');
    const expected = Buffer.from(await crypto.subtle.sign('HMAC', key, text)).toString('base64');
    expect(seeded(7)('["ä"]')).toBe(expected);
  });

  it('differs for different texts and keys', () => {
    const names = [seeded(7)('a'), seeded(7)('b'), seeded(8)('a')];
    expect(new Set(names).size).toBe(names.length);
  });
});
