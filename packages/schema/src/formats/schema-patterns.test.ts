import { runAtOnce, type Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { compileLinearPattern } from './pattern.ts';
import { SchemaPatterns } from './schema-patterns.ts';

const text = (pattern: string): Schema => ({ type: 'string', pattern });

/** The patterns of a schema, and how many of them are compiled between two pauses. */
function compiledIn(schema: Schema): { readonly patterns: readonly string[]; readonly atOnce: number } {
  const compiled: string[] = [];
  const patterns = new SchemaPatterns(schema, (source) => {
    compiled.push(source);
    return compileLinearPattern(source);
  });
  let atOnce = 0;
  let before = 0;
  for (const _ of patterns.compileSteps()) {
    atOnce = Math.max(atOnce, compiled.length - before);
    before = compiled.length;
  }
  expect(patterns.areCompiled).toBe(true);
  expect([...patterns.compileSteps()]).toEqual([]);
  return { patterns: compiled.sort(), atOnce };
}

it('compiles every pattern once, in a step of its own', () => {
  const { patterns, atOnce } = compiledIn({
    type: 'object',
    properties: { a: text('a'), b: { type: 'array', items: text('b') }, again: text('a') },
    additionalProperties: text('c'),
    allOf: [text('d')],
    anyOf: [{ oneOf: [text('e')] }],
    not: text('f'),
  });
  expect(patterns).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(atOnce).toBe(1);
});

it('pauses in a schema without patterns as well', () => {
  const properties = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, {}]));
  const patterns = new SchemaPatterns({ properties }, compileLinearPattern);
  expect([...patterns.compileSteps()].length).toBeGreaterThan(2);
});

it('names the invalid pattern', () => {
  const patterns = new SchemaPatterns(text('a('), compileLinearPattern);
  expect(() => runAtOnce(patterns.compileSteps())).toThrow(
    new TypeError('the schema has the pattern "a(": error parsing regexp: missing closing ): `a(`'),
  );
});
