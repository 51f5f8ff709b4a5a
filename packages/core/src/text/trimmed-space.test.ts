import { describe, expect, it } from 'vitest';
import { trimmedSpace } from './trimmed-space.ts';

describe('white space', () => {
  it('is that of Unicode', () => {
    expect(trimmedSpace('\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2028\u3000 a b \u0085')).toBe('a b');
    expect(trimmedSpace('\ufeffa\u200b')).toBe('\ufeffa\u200b');
    expect(trimmedSpace(' \u0085')).toBe('');
    expect(trimmedSpace('')).toBe('');
  });
});
