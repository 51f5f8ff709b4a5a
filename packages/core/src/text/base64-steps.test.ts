import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runAtOnce, type Steps } from '../contracts/steps.ts';
import { ParseError } from '../errors/parse-error.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { decodeBase64Steps } from './base64-steps.ts';

const outcome = (decode: () => Uint8Array): unknown => {
  try {
    return decode();
  } catch (error) {
    if (!ParseError.is(error)) throw error;
    return error.message;
  }
};

function pausesOf(steps: Steps<unknown>): number {
  let pauses = 0;
  while (!steps.next().done) pauses++;
  return pauses;
}

const filler = encodeBase64(new Uint8Array(49_998).map((_, index) => index * 7));
/** Texts of which some are longer than a piece, with a fault or padding at any place. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        filler,
        filler.slice(1),
        '\n',
        '\r\n'.repeat(40_000),
        '=',
        'YQ==',
        'YWI=',
        'YWJj',
        '*',
        'ä',
      ),
      fc.base64String(),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

describe('base64 in steps', () => {
  it('is what is decoded at once, and so are its errors', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(outcome(() => runAtOnce(decodeBase64Steps(text)))).toEqual(outcome(() => decodeBase64(text)));
      }),
    );
  });

  it.each([
    ['padding across the end of a piece', `${'A'.repeat(65_534)}==${'\n'.repeat(70_000)}`],
    ['padding behind the end of a piece', `${'A'.repeat(65_534)}\n\n==${'\n'.repeat(70_000)}`],
    ['digits behind padding', `${'A'.repeat(65_534)}==AAAA`],
    ['an incomplete group at the end', `${'A'.repeat(65_537)}\n`],
    ['line ends only', '\r\n'.repeat(70_000)],
    ['a foreign character in the second piece', `${'A'.repeat(70_000)}*${'A'.repeat(70_003)}`],
  ])('is the same for %s', (_, text) => {
    expect(outcome(() => runAtOnce(decodeBase64Steps(text)))).toEqual(outcome(() => decodeBase64(text)));
  });

  it('pauses in long texts only', () => {
    expect(pausesOf(decodeBase64Steps(filler.slice(0, 40_000)))).toBe(0);
    expect(pausesOf(decodeBase64Steps(filler.repeat(10)))).toBeGreaterThan(9);
  });
});
