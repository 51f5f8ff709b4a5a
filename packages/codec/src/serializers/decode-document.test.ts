import { describe, expect, it } from 'vitest';
import { decodeDocument, rejectStrictErrors } from './decode-document.ts';
import { DecodeError } from './decode-error.ts';

describe('a configuration file', () => {
  it('is JSON where it starts with a brace, else YAML, as a string or as bytes', () => {
    for (const text of ['\n {"a": 1}', 'a: 1', '# JSON below\n{"a": 1}']) {
      expect(decodeDocument(text).value).toEqual({ a: 1 });
      expect(decodeDocument(new TextEncoder().encode(text)).value).toEqual({ a: 1 });
    }
  });

  it('is decoded strictly', () => {
    const { strictErrors } = decodeDocument('{"a": 1, "a": 2, "b": 1, "b": 2}');
    expect(() => rejectStrictErrors(strictErrors)).toThrow(
      new DecodeError('strict decoding error: duplicate field "a", duplicate field "b"'),
    );
    expect(rejectStrictErrors(decodeDocument('a: 1').strictErrors)).toBeUndefined();
  });
});
