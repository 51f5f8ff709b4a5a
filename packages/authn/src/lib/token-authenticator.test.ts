import { describe, expect, it } from 'vitest';
import { isSignedForm } from './token-authenticator.ts';

describe('isSignedForm', () => {
  it('takes three parts, of which the last may be empty', () => {
    expect(['a.b.c', 'a.b.'].every(isSignedForm)).toBe(true);
  });

  it('takes nothing else', () => {
    expect(['', 'a', 'a.b', '.b.c', 'a.b.c.d', '..', 'a.b.c.'].some(isSignedForm)).toBe(false);
  });
});
