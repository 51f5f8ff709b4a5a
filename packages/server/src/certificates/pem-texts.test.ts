import { describe, expect, it } from 'vitest';
import { pemTexts } from './pem-texts.ts';

const block = (type: string, body = 'YQ=='): string =>
  `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----`;

describe('the blocks of a PEM text', () => {
  it('are found in order, ignoring text between them', () => {
    const [first, second] = [block('CERTIFICATE'), block('EC PRIVATE KEY', 'Proc-Type: 4\n\nYQ==')];
    expect(pemTexts(`# one\n${first}\nbetween\n${second}\nbehind`)).toEqual([
      { type: 'CERTIFICATE', text: first },
      { type: 'EC PRIVATE KEY', text: second },
    ]);
  });

  it.each([
    '',
    'no block',
    '-----BEGIN X-----\nYQ==',
    '-----BEGIN X-----\nYQ==\n-----END X',
    '-----END X-----',
  ])('are none in %j', (text) => {
    expect(pemTexts(text)).toEqual([]);
  });

  it('are not found in a text of BEGIN lines only', () => {
    expect(pemTexts('-----BEGIN X-----\n'.repeat(1_000_000))).toEqual([]);
  });
});
