import { runAtOnce, type Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { CompiledSchema } from './compiled-schema.ts';
import { compileStructural } from './structural.ts';

const wide: Schema = {
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: 1_000 }, (_, i) => [
      `p${i}`,
      { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'b' } } } },
    ]),
  ),
};

/** A compiler of how many parts a schema has, and which parts it has compiled. */
function counting(schema: Schema): { compiled: CompiledSchema<number>; parts: Schema[] } {
  const parts: Schema[] = [];
  const compiled = new CompiledSchema<number>(schema, (part, compile) => {
    parts.push(part);
    const inside = [...Object.values(part.properties ?? {}), ...(part.items ? [part.items] : [])];
    return inside.reduce((sum, each) => sum + compile(each), 1);
  });
  return { compiled, parts };
}

it('compiles every part once, with pauses', () => {
  const { compiled, parts } = counting(wide);
  let [before, atOnce] = [0, 0];
  for (const _ of compiled.compileSteps()) {
    atOnce = Math.max(atOnce, parts.length - before);
    before = parts.length;
  }
  expect(atOnce).toBeLessThanOrEqual(256);
  expect([parts.length, new Set(parts).size]).toEqual([3_001, 3_001]);
  expect(compiled.whole).toBe(3_001);
  expect([...compiled.compileSteps()]).toEqual([]);
});

it('compiles every part once for requests that need it together', () => {
  const { compiled, parts } = counting(wide);
  const requests = [compiled.compileSteps(), compiled.compileSteps()];
  while (requests.map((steps) => steps.next().done).includes(false));
  expect(compiled.isCompiled).toBe(true);
  expect(parts).toHaveLength(3_001);
});

it('compiles at once what is asked for without steps', () => {
  const { compiled, parts } = counting(wide);
  const begun = compiled.compileSteps();
  for (let i = 0; i < 15; i++) begun.next();
  expect(compiled.whole).toBe(3_001);
  expect(runAtOnce(begun)).toBeUndefined();
  expect(new Set(parts).size).toBe(3_001);
});

it('is how all of a structure is compiled', () => {
  const structure = compileStructural(wide, { compilesPatternsLater: true });
  expect([...structure.compileSteps()].length).toBeGreaterThan(20);
  expect([...structure.compileSteps()]).toEqual([]);
  expect([...structure.validateSteps({ p1: [{ a: 1 }] })].length).toBeGreaterThan(20);
  // the errors of small values are found at once from now on
  expect([...structure.validateSteps({ p1: [{ a: 1 }] })].length).toBeLessThan(3);
});
