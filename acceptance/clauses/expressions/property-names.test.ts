import { escapeProperty, unescapeProperty } from '@ashlar/cel';
import { expect, it } from 'vitest';
import { forEachVocabulary, withRules } from './clause-expressions.fixture.ts';

const KEYWORDS = (
  'true false null in as break const continue else for function if import let loop package namespace return ' +
  'var void while'
).split(' ');

forEachVocabulary('Property-name escaping', ({ failures }) => {
  /** Whether a rule that reads the identifier reads the property. */
  const reads = (identifier: string, name: string): boolean => {
    const schema = withRules(
      { type: 'object', properties: { [name]: { type: 'integer' } } },
      `self.${identifier} == 1`,
    );
    const received = [1, 2].map((value) => failures(schema, { [name]: value }));
    return received[0]?.length === 0 && received[1]?.[0] === `failed rule: self.${identifier} == 1`;
  };
  const written = (name: string, identifier: string): void => {
    expect([name, escapeProperty(name)]).toEqual([name, identifier]);
    expect([identifier, unescapeProperty(identifier)]).toEqual([identifier, name]);
    expect([identifier, reads(identifier, name)]).toEqual([identifier, true]);
  };

  it('L023: names of letters, digits and four marks are accessible', () => {
    for (const name of ['a', 'Z', '_', '_a', 'a1', 'aB_9']) written(name, name);
    for (const name of ['.a', '-a', '/a', 'a.1', 'a-1', 'a/1']) {
      const identifier = escapeProperty(name) ?? '';
      expect([name, reads(identifier, name)]).toEqual([name, true]);
    }
  });

  it('L023: no other names are', () => {
    for (const name of ['', '1', '1a', '9-a', 'a b', 'a$', '$ref', 'ä', 'aé', 'a:b', 'a@b', 'a,b', 'a\\b']) {
      expect([name, escapeProperty(name)]).toEqual([name, undefined]);
    }
    expect(reads('ä', 'ä')).toBe(false);
    expect(reads("a['$']", 'a$')).toBe(false);
  });

  it('L024: two underscores are escaped', () => {
    written('__', '__underscores__');
    written('a__b', 'a__underscores__b');
    expect(reads('a__b', 'a__b')).toBe(false);
    written('a_b', 'a_b');
  });

  it('L025: a dot is escaped', () => {
    written('a.b', 'a__dot__b');
    written('.', '__dot__');
    expect(reads('a.b', 'a.b')).toBe(false);
  });

  it('L026: a dash is escaped', () => {
    written('a-b', 'a__dash__b');
    written('-', '__dash__');
    expect(reads('a-b', 'a-b')).toBe(false);
  });

  it('L027: a slash is escaped', () => {
    written('a/b', 'a__slash__b');
    written('/', '__slash__');
    expect(reads('a/b', 'a/b')).toBe(false);
  });

  it('L028: a reserved word is escaped', () => {
    for (const word of KEYWORDS) written(word, `__${word}__`);
  });

  it('L029: a reserved word within a name is not', () => {
    for (const word of KEYWORDS) {
      written(`x${word}`, `x${word}`);
      written(`${word}s`, `${word}s`);
      written(`a.${word}`, `a__dot__${word}`);
      expect(unescapeProperty(`x__${word}__`)).toBeUndefined();
    }
  });
});
