import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import type { HeaderField } from './hpack-static-table.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('headers that come', () => {
  test('are read as RFC 7541 C.6 has them, in Huffman codes, from a table that forgets', () => {
    const decoder = new HpackDecoder();
    const first = {
      ':status': '302',
      'cache-control': 'private',
      date: 'Mon, 21 Oct 2013 20:13:21 GMT',
      location: 'https://www.example.com',
    };
    const size256 = '3fe101';
    const one =
      '4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 ' +
      '63c7 8f0b 97c8 e9ae 82ae 43d3';
    expect(decoder.decode(hex(size256 + one))).toEqual(first);
    expect(decoder.decode(hex('4883 640e ffc1 c0bf'))).toEqual({ ...first, ':status': '307' });
    const three =
      '88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 ' +
      'b335 dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07';
    expect(decoder.decode(hex(three))).toEqual({
      ...first,
      ':status': '200',
      date: 'Mon, 21 Oct 2013 20:13:22 GMT',
      'content-encoding': 'gzip',
      'set-cookie': 'foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1',
    });
    // the oldest has been forgotten
    expect(() => decoder.decode(hex('c2'))).toThrow(RangeError);
  });

  test.each([
    ['an entry that there is not', 'be'],
    ['the entry 0', '80'],
    ['a number without its end', 'ff'],
    ['a number that is too large', 'ffffffffffffffff'],
    ['a text without its end', '400161'],
    ['a code that is none', '40016184ffffffff'],
    ['more padding than a byte has', '400161821fff'],
    ['a larger table than was agreed on', '3fe2ff03'],
  ])('are refused with %s', (_, block) => {
    expect(() => new HpackDecoder().decode(hex(block))).toThrow(RangeError);
  });

  test('never do worse, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }), (blocks) => {
        const decoder = new HpackDecoder();
        try {
          for (const block of blocks) decoder.decode(Buffer.from(block));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});

describe('headers that go', () => {
  test('are read as they were written, block after block', () => {
    const text = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
    });
    const names = fc.constantFrom(':path', ':method', 'te', 'token', 'content-type', 'x-other');
    const field: fc.Arbitrary<HeaderField> = fc.tuple(names, fc.oneof(fc.constantFrom('POST', '/a'), text));
    const block = fc.uniqueArray(field, { maxLength: 8, selector: ([name]) => name });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 30 }), fc.nat(40), (blocks, limitAt) => {
        const [encoder, decoder] = [new HpackEncoder(), new HpackDecoder()];
        blocks.forEach((fields, i) => {
          if (i === limitAt) encoder.limitTable(0);
          expect(decoder.decode(encoder.encode(fields))).toEqual(Object.fromEntries(fields));
        });
      }),
    );
  });

  test('take a byte each where they have been said before, but for what is secret', () => {
    const encoder = new HpackEncoder();
    const plain: HeaderField[] = [
      [':method', 'POST'],
      [':path', '/etcdserverpb.KV/Txn'],
      ['te', 'trailers'],
    ];
    encoder.encode(plain);
    expect(encoder.encode(plain)).toHaveLength(3);
    const secret: HeaderField[] = [['token', 'abc']];
    encoder.encode(secret);
    expect(encoder.encode(secret).includes('abc')).toBe(true);
  });
});
