import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WarningRecorder } from './warning-recorder.ts';

const headersOf = (...texts: readonly string[]): readonly string[] => {
  const recorder = new WarningRecorder();
  for (const text of texts) recorder.add(text);
  return recorder.headers;
};

describe('WarningRecorder', () => {
  it('quotes texts and sends each once', () => {
    expect(headersOf('a "b" \\c', 'd', 'a "b" \\c', '')).toEqual(['299 - "a \\"b\\" \\\\c"', '299 - "d"']);
  });

  it('skips texts that no header can contain', () => {
    expect(headersOf('a\nb', 'a\u0000', 'a\u0085', '\ud800', 'fine')).toEqual(['299 - "fine"']);
  });

  it('writes characters beyond ASCII as UTF-8 bytes', () => {
    const [header = ''] = headersOf('поле');
    expect(Buffer.from(header, 'latin1').toString('utf8')).toBe('299 - "поле"');
  });

  it('keeps up to 4096 characters unchanged', () => {
    const texts = ['a'.repeat(4000), 'b'.repeat(96)];
    expect(headersOf(...texts)).toEqual(texts.map((text) => `299 - "${text}"`));
  });

  it('truncates every text to 256 characters beyond that, and stops at 4096', () => {
    const long = Array.from({ length: 40 }, (_, i) => `${String(i).padStart(2, '0')}${'я'.repeat(300)}`);
    const headers = headersOf('short', ...long);
    expect(headers[0]).toBe('299 - "short"');
    expect(Buffer.from(headers[1] ?? '', 'latin1').toString()).toBe(`299 - "00${'я'.repeat(254)}"`);
    expect(headers).toHaveLength(1 + 16);
  });

  it('sends of a text of megabytes its first 256 characters, whatever comes before or after', () => {
    const long = '\u{1d11e}'.repeat(500_000);
    const sent = headersOf('a', long, 'b').map((header) => Buffer.from(header, 'latin1').toString());
    expect(sent).toEqual(['299 - "a"', `299 - "${'\u{1d11e}'.repeat(256)}"`, '299 - "b"']);
  });

  it('counts characters, not UTF-16 units', () => {
    const text = '\u{1d11e}'.repeat(4096);
    expect(headersOf(text).map((header) => Buffer.from(header, 'latin1').toString())).toEqual([
      `299 - "${text}"`,
    ]);
  });

  it('stays within its budget', () => {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.integer({ min: 1, max: 5000 }).map((n) => `${n}${'x'.repeat(n)}`),
    );
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        const headers = headersOf(...texts);
        const received = headers.map((header) => Buffer.from(header, 'latin1').toString().slice(7, -1));
        const characters = [...received.join('').replaceAll(/\\(.)/gsu, '$1')].length;
        expect(characters).toBeLessThan(4096 + 256);
        for (const header of headers) expect(header).toMatch(/^299 - "[\x20-\x7e\x80-\xff]*"$/);
        expect(new Set(headers).size).toBe(headers.length);
      }),
    );
  });
});
