import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pemBlocks, readPem } from './pem.ts';

function block(type: string, bytes: Uint8Array): string {
  const lines = Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}

describe('PEM', () => {
  it('returns the contents of blocks', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('A', 'B C', 'X-Y'), fc.uint8Array())), (blocks) => {
        const text = blocks.map(([type, bytes]) => block(type, bytes)).join('between\n');
        expect(readPem(text)).toEqual(
          blocks.map(([type, bytes]) => ({ type, bytes: Uint8Array.from(bytes) })),
        );
      }),
    );
  });

  it('ends a block at the first line that ends one or begins another', () => {
    const inner = '-----BEGIN B-----\nAAEC\n-----END B-----\n';
    const b = { type: 'B', bytes: Uint8Array.of(0, 1, 2) };
    expect(readPem(`-----BEGIN A-----\n${inner}-----END A-----\n`)).toEqual([b]);
    expect(readPem(`-----BEGIN A-----\nAAEC\n-----END C-----\n${inner}`)).toEqual([b]);
    expect(readPem(`x-----BEGIN A-----\nAAEC\n-----END A-----\n`)).toEqual([]);
    expect(readPem(inner.trimEnd())).toEqual([b]);
    expect(readPem('-----BEGIN -----\nAAEC\n-----END -----')).toEqual([{ ...b, type: '' }]);
    expect(readPem('-----BEGIN ----\nAAEC\n-----END ----')).toEqual([]);
  });

  it('are read one by one', () => {
    const blocks = pemBlocks(block('A', Uint8Array.of(0)) + block('B', Uint8Array.of(1)));
    expect(blocks.next().value).toEqual({ type: 'A', bytes: Uint8Array.of(0) });
    expect([...blocks]).toEqual([{ type: 'B', bytes: Uint8Array.of(1) }]);
  });

  it('pauses while it reads much of a block', () => {
    const bytes = new Uint8Array(300_000).fill(7);
    const read = [...pemBlocks(block('A', bytes))];
    expect(read.at(-1)).toEqual({ type: 'A', bytes });
    expect(read.filter((found) => found === undefined).length).toBeGreaterThan(10);
  });

  it('skips a block with anything else in its second piece, and pauses between lines of dashes', () => {
    const block = (body: string): string => `-----BEGIN A-----\n${body}-----END A-----\n`;
    const digits = `${'AAAA'.repeat(20_000)}\n`;
    expect(readPem(block(`${digits} \t${digits}`))).toEqual([{ type: 'A', bytes: new Uint8Array(120_000) }]);
    expect(readPem(block(`${digits}*${digits}`))).toEqual([]);
    expect([...pemBlocks('-----\n'.repeat(20_000))]).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('never throws', () => {
    const noise = fc.string({
      unit: fc.constantFrom(
        '-----BEGIN A-----',
        '-----END A-----',
        '-----',
        '\n',
        '\r',
        ' ',
        'AAEC',
        'a: b',
        '=',
      ),
    });
    fc.assert(fc.property(noise, (text) => Array.isArray(readPem(text))));
  });

  it('skips headers, and blocks without base64 or an end', () => {
    const text =
      '-----BEGIN A-----\nName: value\n\nAAEC\n-----END A-----\n-----BEGIN B-----\n***\n-----END B-----\n-----BEGIN C-----\nAAEC\n';
    expect(readPem(text)).toEqual([{ type: 'A', bytes: Uint8Array.of(0, 1, 2) }]);
    expect(readPem(text.replaceAll('\n', '\r\n'))).toHaveLength(1);
  });
});
