import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fixedAmbient } from '../request/fake-request.fixture.ts';
import { createStaticTokens } from './static-tokens.ts';
import { parseTokenFile } from './token-file.ts';

describe('parseTokenFile', () => {
  it('parses tokens, users, ids and groups', () => {
    const { tokens, warnings } = parseTokenFile(
      't1,anna,u1,"g1,g2"\nt2,bertil,,\nt3,cilla,u3,one,more\nt4,d,u4\n',
    );
    expect(tokens).toEqual([
      { token: 't1', user: { name: 'anna', uid: 'u1', groups: ['g1', 'g2'] } },
      { token: 't2', user: { name: 'bertil', groups: [''] } },
      { token: 't3', user: { name: 'cilla', uid: 'u3', groups: ['one'] } },
      { token: 't4', user: { name: 'd', uid: 'u4', groups: [] } },
    ]);
    expect(warnings).toEqual([]);
  });

  it('skips empty tokens and keeps the last of equal ones, with warnings that do not contain them', () => {
    const { tokens, warnings } = parseTokenFile('same,a,1\n,b,2\nsame,c,3\n');
    expect(tokens).toEqual([{ token: 'same', user: { name: 'c', uid: '3', groups: [] } }]);
    expect(warnings).toEqual([
      'line 2: the token is empty, the line is skipped',
      'line 3: the token is a duplicate, the last one is used',
    ]);
  });

  it('rejects lines with too few columns, and invalid files', () => {
    expect(() => parseTokenFile('a,b,c\n\nd,e')).toThrow(
      'line 3: a token needs at least 3 columns (token, user name, user uid), found 2',
    );
    expect(() => parseTokenFile('a,b,c\nd,"e')).toThrow('line 2: a quoted field does not end');
  });
});

describe('createStaticTokens', () => {
  it('authenticates its tokens, and no others', () => {
    const token = fc.string({ minLength: 1, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c') });
    fc.assert(
      fc.property(fc.uniqueArray(token), token, (known, guess) => {
        const tokens = createStaticTokens(
          known.map((text) => ({ token: text, user: { name: `user of ${text}`, groups: [] } })),
          fixedAmbient().random,
        );
        for (const text of known) {
          expect(tokens.authenticateToken(text)).toMatchObject({ user: { name: `user of ${text}` } });
        }
        const result = tokens.authenticateToken(guess);
        expect(result).toMatchObject({ outcome: known.includes(guess) ? 'authenticated' : 'none' });
      }),
    );
  });
});
