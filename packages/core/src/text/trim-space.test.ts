import { describe, expect, it } from 'vitest';
import { trimSpace } from './trim-space.ts';

describe('a text without the space around it', () => {
  it.each([
    ['is cut at both ends', ' \t\r\na b\v\f ', 'a b'],
    ['has no next line and no wide spaces', '\u0085\u00a0\u3000a\u2028\u0085', 'a'],
    ['keeps a byte order mark', '\ufeffa \ufeff', '\ufeffa \ufeff'],
    ['may be all space', ' \u2003\u0085', ''],
  ])('%s', (_, text, cut) => {
    expect(trimSpace(text)).toBe(cut);
  });
});
