import { describe, expect, it } from 'vitest';
import { isResourceVersion, readableVersion } from './readable-version.ts';

describe('resource versions of submitted objects', () => {
  it.each(['0', '1', '18446744073709551615', '000000000000000000000007'])('can be %s', (text) => {
    expect(isResourceVersion(text)).toBe(true);
    expect(readableVersion({ resourceVersion: text })).toBe(text);
  });

  it.each([
    ['abc', 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ['-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ])('cannot be %s', (resourceVersion, message) => {
    expect(isResourceVersion(resourceVersion)).toBe(false);
    expect(() => readableVersion({ resourceVersion })).toThrow(
      expect.objectContaining({ status: expect.objectContaining({ code: 500, message }) }),
    );
  });

  it('can be absent', () => {
    expect(readableVersion({})).toBe('');
  });
});
