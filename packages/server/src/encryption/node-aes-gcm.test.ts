import { portableAesGcm } from '@ashlar/encryption';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeAesGcm } from './node-aes-gcm.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const value = fc.record({
  key: fc.constantFrom(16, 24, 32).chain(bytes),
  nonce: bytes(12),
  plaintext: fc.uint8Array({ maxLength: 3_000 }),
  authenticated: fc.uint8Array({ maxLength: 100 }),
});

describe('the AES-GCM of Node', () => {
  it('writes what the portable one writes, and both read it', () => {
    fc.assert(
      fc.property(value, ({ key, nonce, plaintext, authenticated }) => {
        const sealed = nodeAesGcm.encrypt(key, nonce, plaintext, authenticated);
        expect(sealed).toEqual(portableAesGcm.encrypt(key, nonce, plaintext, authenticated));
        for (const cipher of [nodeAesGcm, portableAesGcm])
          expect(Uint8Array.from(cipher.decrypt(key, nonce, sealed, authenticated))).toEqual(plaintext);
      }),
    );
  });

  it('reads nothing that was changed', () => {
    const [key, nonce] = [new Uint8Array(32), new Uint8Array(12)];
    const authenticated = new Uint8Array([1, 2]);
    const sealed = nodeAesGcm.encrypt(key, nonce, new Uint8Array(40), authenticated);
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.with(at, (sealed[at] as number) ^ 1);
      expect(() => nodeAesGcm.decrypt(key, nonce, changed, authenticated)).toThrow();
    }
    expect(() => nodeAesGcm.decrypt(key, nonce, sealed, new Uint8Array([1, 3]))).toThrow();
    expect(() => nodeAesGcm.decrypt(key, nonce, sealed.subarray(0, 20), authenticated)).toThrow();
  });
});
