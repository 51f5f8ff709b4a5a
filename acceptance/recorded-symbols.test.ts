import { describe, expect, it } from 'vitest';
import { RecordedSymbols } from '../conformance/recorded-symbols.ts';

describe('RecordedSymbols', () => {
  it('gives what was seen the symbols of the recording, whatever their numbers', () => {
    const symbols = new RecordedSymbols();
    expect(symbols.rename({ a: '<uid:5>' }, { a: '<uid:4>', b: '<uid:9>' })).toEqual({
      a: '<uid:5>',
      b: '<uid:9> without counterpart',
    });
    expect(symbols.rename(['<uid:5>', '<uid:7>'], ['<uid:4>', '<uid:6>'])).toEqual(['<uid:5>', '<uid:7>']);
  });

  it('keeps what is equal equal, and what differs different', () => {
    const symbols = new RecordedSymbols();
    symbols.rename('<uid:1>', '<uid:2>');
    // another one in the place of the same
    expect(symbols.rename('<uid:1>', '<uid:3>')).not.toBe('<uid:1>');
    // the same one in the place of another
    expect(symbols.rename('<uid:8>', '<uid:2>')).toBe('<uid:1>');
    // a uid is no resource version
    expect(symbols.rename('<rv:1>', '<uid:4>')).not.toBe('<rv:1>');
    expect(symbols.rename('text', '<uid:2>')).toBe('<uid:1>');
  });
});
