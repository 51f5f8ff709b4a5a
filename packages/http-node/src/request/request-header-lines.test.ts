import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RequestHeaderLines } from './request-header-lines.ts';

describe('RequestHeaderLines', () => {
  it('agrees with a naive reading of the lines', () => {
    const names = fc.constantFrom('Accept', 'ACCEPT', 'accept', 'X-A', 'x-a', 'host', ':authority', ':path');
    const line = fc.tuple(names, fc.string({ maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(line), names, (lines, wanted) => {
        const headers = new RequestHeaderLines(lines.flat());
        const own = lines
          .filter(([name]) => !name.startsWith(':'))
          .map(([name, value]) => [name.toLowerCase(), value]);
        const named = own.filter(([name]) => name === wanted.toLowerCase()).map(([, value]) => value);
        expect([...headers.entries()]).toEqual(own);
        expect(headers.all(wanted)).toEqual(named);
        const authority = lines.find(([name]) => name === ':authority')?.[1];
        expect(headers.get(wanted)).toBe(wanted === 'host' ? (named[0] ?? authority) : named[0]);
      }),
    );
  });
});

describe('the size of a header', () => {
  it('counts names, values and what an absolute target loses', () => {
    const raw = ['Host', 'a', 'Accept', '*/*'];
    expect(new RequestHeaderLines(raw).size).toBe(14);
    expect(new RequestHeaderLines(raw, 100).size).toBe(114);
  });
});
