import { ParseError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCertificate } from './certificate.ts';
import { anna, authority, nameless, old, twoNames } from './certificates.fixture.ts';

describe('parseCertificate', () => {
  it('reads name, organizations and validity', () => {
    expect(parseCertificate(anna)).toEqual({
      commonName: 'anna',
      organizations: ['builders', 'system:masters'],
      notBefore: Date.UTC(2020, 0, 1),
      notAfter: Date.UTC(2070, 0, 1),
    });
    expect(parseCertificate(authority).commonName).toBe('test authority');
    expect(parseCertificate(old).notAfter).toBe(Date.UTC(2021, 0, 1));
  });

  it('uses the last of several names, and every organization', () => {
    expect(parseCertificate(twoNames)).toMatchObject({ commonName: 'sécond', organizations: ['a', 'b'] });
    expect(parseCertificate(nameless)).toMatchObject({ commonName: '', organizations: ['builders'] });
  });

  it('rejects invalid bytes with one class of error, at any position', () => {
    const spoilt = fc
      .tuple(fc.constantFrom(anna, twoNames), fc.nat(200), fc.uint8Array({ minLength: 1, maxLength: 4 }))
      .map(([certificate, at, bytes]) => {
        const copy = Uint8Array.from(certificate);
        copy.set(bytes, at);
        return copy;
      });
    const cut = fc.nat(anna.length - 1).map((length) => anna.subarray(0, length));
    fc.assert(
      fc.property(fc.oneof(spoilt, cut, fc.uint8Array({ maxLength: 100 })), (bytes) => {
        try {
          expect(parseCertificate(bytes).commonName).toBeTypeOf('string');
        } catch (error) {
          expect(error).toBeInstanceOf(ParseError);
        }
      }),
    );
    for (let length = 0; length < 200; length++) {
      expect(() => parseCertificate(anna.subarray(0, length))).toThrow(ParseError);
    }
  });
});
