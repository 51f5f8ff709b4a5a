import { ruleLimits, serverEnvironment, specificationCosts, types } from '@ashlar/cel';
import type { Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { type ClauseExpressions, forEachVocabulary, withRules } from './clause-expressions.fixture.ts';

/** Cost of an expression with the cost model of the specification, as evaluated and as estimated. */
function costs(
  { vocabulary }: ClauseExpressions,
  expression: string,
  variables: Readonly<Record<string, unknown>>,
) {
  const environment = serverEnvironment({ vocabulary, costModel: specificationCosts }).extend({
    variables: Object.fromEntries(Object.keys(variables).map((name) => [name, types.dyn])),
  });
  const compiled = environment.compile(expression);
  if (!compiled.ok) throw new Error(compiled.text);
  const { cost } = compiled.program.evaluate(variables);
  return { cost, estimate: environment.estimate(compiled.expression) };
}

const numbers: Schema = { type: 'array', items: { type: 'integer' }, maxItems: 5000 };
const many = Array.from({ length: 2000 }, (_, index) => index);
/** A rule that is quadratic in the list. */
const DEAR = 'self.all(a, self.all(b, a + b >= 0))';

forEachVocabulary('Limits', (expressions) => {
  const { environment, failures } = expressions;
  const run = (expression: string, x: unknown = 0): number => costs(expressions, expression, { x }).cost;
  const READ = 1;

  it('L056: cost is deterministic', () => {
    const data = many.slice(0, 50);
    const all = [1, 2, 3].map(() => run('x.all(a, x.exists(b, b == a))', data));
    expect(new Set(all).size).toBe(1);
    expect(run('x.all(a, a >= 0)', data)).toBeGreaterThan(run('x.all(a, a >= 0)', data.slice(1)));
  });

  it('L056: a comparison costs 1', () => {
    for (const comparison of ['==', '!=', '<', '<=', '>', '>=']) {
      expect([comparison, run(`x ${comparison} 1`) - READ]).toEqual([comparison, 1]);
    }
  });

  it('L056: a list literal costs 40', () => {
    for (const items of ['x', 'x, x, x']) {
      expect(run(`[${items}]`) - READ * items.split(',').length).toBe(40);
    }
    expect(run('[[x], [x]]') - READ * 2).toBe(120);
    expect(costs(expressions, '[1, 2]', {}).estimate).toEqual({ min: 40n, max: 40n });
  });

  it('L056: a pattern search costs the length of the pattern times that of the text', () => {
    for (const [pattern, text] of [
      ['abc', 'abcde'],
      ['a+', 'b'.repeat(1000)],
      ['(x|y){2}z', 'é😀'],
    ] as const) {
      const product = [...pattern].length * [...text].length;
      for (const call of ['matches', 'find']) {
        expect([call, run(`x.${call}('${pattern}')`, text) - READ]).toEqual([call, product]);
        const { estimate } = costs(expressions, `'${text}'.${call}('${pattern}')`, {});
        expect([call, estimate.max]).toEqual([call, BigInt(product)]);
      }
    }
  });

  it('L057: an evaluation over its budget ends with an error', () => {
    const compiled = environment.extend({ variables: { self: types.list(types.int) } }).compile(DEAR);
    if (!compiled.ok) throw new Error(compiled.text);
    const costLimit = 10_000;
    const stopped = compiled.program.evaluate({ self: many }, { costLimit });
    expect(stopped).toMatchObject({ ok: false, interrupted: 'cost-limit' });
    expect(stopped.cost).toBeLessThan(costLimit * 2);
    expect(compiled.program.evaluate({ self: many.slice(0, 9) }, { costLimit })).toMatchObject({
      value: true,
    });
  });

  it('L057: every rule has a budget', () => {
    const [received, ...rest] = failures(withRules(numbers, DEAR, 'self.size() == 0'), many);
    expect(received).toContain('call cost exceeds limit');
    // Nothing else is run after it.
    expect(rest).toEqual([]);
    expect(failures(withRules(numbers, DEAR), many.slice(0, 9))).toEqual([]);
  });

  it('L058: the rules of one object share a budget', () => {
    const rule = 'self.all(a, a >= 0)';
    const schema = withRules(numbers, rule, rule, rule, 'self.size() == 0');
    const compiled = environment.extend({ variables: { self: types.list(types.int) } }).compile(rule);
    if (!compiled.ok) throw new Error(compiled.text);
    const { cost: each } = compiled.program.evaluate({ self: many });
    expect(failures(schema, many, { remaining: each * 4 })).toEqual(['failed rule: self.size() == 0']);
    // Enough for each alone and for two, but not for three.
    const budget = { remaining: Math.floor(each * 2.5) };
    const out =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    expect(failures(schema, many, budget)).toEqual([out]);
    expect(budget.remaining).toBeLessThan(0);
  });

  it('L060: the budgets of a call and of an object are separate', () => {
    const schema = withRules(numbers, DEAR);
    const few = many.slice(0, 100);
    expect(failures(schema, few, { remaining: ruleLimits.perObject })).toEqual([]);
    expect(failures(schema, few, { remaining: ruleLimits.perObject, perCall: 100 })[0]).toContain(
      'call cost exceeds limit',
    );
    expect(failures(schema, few, { remaining: 100 })[0]).toContain('running out of cost budget');
  });
});
