import { describe, expect, it } from 'vitest';
import { isCompactToken, isSignedForm } from './token-authenticator.ts';

describe('isSignedForm', () => {
  it('accepts three parts, of which the last may be empty', () => {
    expect(['a.b.c', 'a.b.'].every(isSignedForm)).toBe(true);
  });

  it('rejects everything else', () => {
    expect(['', 'a', 'a.b', '.b.c', 'a.b.c.d', '..', 'a.b.c.'].some(isSignedForm)).toBe(false);
  });
});

describe('isCompactToken', () => {
  it('accepts base64url without padding', () => {
    expect(['ab.cd.ef', 'a-_b.abc.abcd', 'ab.cd.'].every(isCompactToken)).toBe(true);
  });

  it('rejects padding, blanks, line ends, other alphabets and truncated parts', () => {
    const others = ['ab.cd.ef==', 'ab.cd.e=', 'ab.cd.ef\n', 'ab.c d.ef', 'ab.c+/d.ef', 'ab.cd.efghi'];
    expect(others.filter(isCompactToken)).toEqual([]);
  });

  it('rejects headers of more than 16 KiB', () => {
    expect(isCompactToken(`${'abcd'.repeat(4096)}.ab.ab`)).toBe(true);
    expect(isCompactToken(`${'abcd'.repeat(4097)}.ab.ab`)).toBe(false);
  });

  it('checks a token once', () => {
    expect(isCompactToken(`${'ab.'.repeat(500_000)}!`)).toBe(false);
    expect(isCompactToken(`${'ab'.repeat(500_000)}!`)).toBe(false);
  });
});
