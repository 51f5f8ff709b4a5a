import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPem } from './pem.ts';

function block(type: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}

describe('PEM', () => {
  it('gives back what blocks hold', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('A', 'B C', 'X-Y'), fc.uint8Array())), (blocks) => {
        const text = blocks.map(([type, bytes]) => block(type, bytes)).join('between\n');
        expect(readPem(text)).toEqual(
          blocks.map(([type, bytes]) => ({ type, bytes: Uint8Array.from(bytes) })),
        );
      }),
    );
  });

  it('passes over headers, and over blocks without base64 or an end', () => {
    const text =
      '-----BEGIN A-----\nName: value\n\nAAEC\n-----END A-----\n-----BEGIN B-----\n***\n-----END B-----\n-----BEGIN C-----\nAAEC\n';
    expect(readPem(text)).toEqual([{ type: 'A', bytes: Uint8Array.of(0, 1, 2) }]);
    expect(readPem(text.replaceAll('\n', '\r\n'))).toHaveLength(1);
  });
});
