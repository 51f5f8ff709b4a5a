import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { types } from '../check/types.ts';
import { serverEnvironment } from '../environment/server-environment.ts';
import { ruleLimits } from '../rules/rule-evaluation.ts';
import { bindingMacros, standardMacros } from '../syntax/macros.ts';
import { parseTimestamp } from '../values/time.ts';
import { allowSteps, stepsFor, workSpent } from './work.ts';

const environment = serverEnvironment({ vocabulary: kubernetesVocabulary }).extend({
  languageMacros: [...standardMacros, ...bindingMacros],
  variables: {
    text: types.string,
    other: types.dyn,
    numbers: types.list(types.int),
    map: types.map(types.string, types.int),
    moment: types.timestamp,
  },
});

const count = 100_000;
const numbers = Array.from({ length: count }, (_, i) => i);
const map = Object.fromEntries(numbers.map((i) => [`k${i}`, i]));
const long = 'a'.repeat(3_000_000);
const moment = parseTimestamp('2024-02-29T12:00:00Z');

/** Result of an evaluation, or why it ended, and the steps that it took in addition to its cost. */
function evaluate(expression: string, bindings: Readonly<Record<string, unknown>> = {}) {
  const compiled = environment.compile(expression);
  if (!compiled.ok) throw new Error(compiled.text);
  const result = compiled.program.evaluate(
    { numbers, map, moment, ...bindings },
    { costLimit: ruleLimits.perCall },
  );
  return result.ok ? result.value : (result.interrupted ?? result.error.message);
}

describe('an evaluation', () => {
  // None of these finishes in the time of a test if work is quadratic or not charged.
  it.each<[string, Readonly<Record<string, unknown>>, unknown]>([
    [
      'duration(text) > duration("1s")',
      { text: `${'000s'.repeat(18)}!` },
      expect.stringContaining('conversion'),
    ],
    [
      'duration(text) > duration("1s")',
      { text: `${'000s'.repeat(240)}!` },
      expect.stringContaining('conversion'),
    ],
    ['double(text) > 1.0', { text: `${'0'.repeat(count)}!` }, expect.stringContaining('conversion')],
    ['text.findAll("(a*x|a)").size()', { text: 'a'.repeat(count) }, count],
    ['text.find("(a*x|a)").size()', { text: 'a'.repeat(count) }, 1],
    ['text.trim().size()', { text: `${' '.repeat(count)}x${' '.repeat(count)}x` }, count + 2],
    ['text.indexOf(other)', { text: 'a'.repeat(400_000), other: `${'a'.repeat(200_000)}b` }, -1],
    ['text.lastIndexOf(other)', { text: 'a'.repeat(400_000), other: `b${'a'.repeat(200_000)}` }, -1],
    ['text.split(other).size()', { text: 'a'.repeat(400_000), other: `${'a'.repeat(200_000)}b` }, 1],
    ['numbers.transformMap(i, v, v).size()', { numbers: numbers.slice(0, 50_000) }, 50_000],
    ['url(text).getQuery().size()', { text: `/?${'a&'.repeat(100_000)}` }, 1],
    ['url(text).getQuery().size()', { text: `/?${'%zz&'.repeat(1000)}` }, 0],
    ['url(text).getQuery().size()', { text: `/?${'%zz&'.repeat(20_000)}` }, 'cost-limit'],
  ])('takes time linear in its data: %s', (expression, bindings, expected) => {
    expect(evaluate(expression, bindings)).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['numbers.all(x, text.size() > 0)', { text: long }],
    ['numbers.all(x, text.charAt(2000000) == "a")', { text: long }],
    ['numbers.all(x, (numbers + numbers).size() > 0)', {}],
    ['numbers.all(x, [numbers] == [other])', { other: [...numbers] }],
    ['numbers.all(x, other <= other)', { other: long }],
    ['numbers.all(x, !isURL(text))', { text: long }],
    ['numbers.all(x, isURL(text))', { text: `/${long}` }],
    ['numbers.all(x, url(text).getQuery().size() > 0)', { text: `/?${'a&'.repeat(count)}` }],
    ['numbers.all(x, moment.getHours(string(x)) > 0 || true)', {}],
    ['numbers.all(x, moment.getHours("Europe/Berlin") >= 0)', {}],
    ['numbers.all(x, !"".matches("a{" + string(x % 900) + "}b" + string(x)))', {}],
    ['text.replace("a", text).size() > 0', { text: 'a'.repeat(count) }],
    ['numbers.all(x, "%.900f".format([0.1]).size() > 0)', {}],
    [nested(26, '"%s".format([list]).size() > 0'), {}],
    ['sets.equivalent(numbers, numbers)', {}],
    ['text.contains(other)', { text: long, other: `b${long}` }],
    ['text.findAll("\\\\pL{200}a").size() > 0', { text: scattered(count) }],
  ])('stops at the cost limit if work is not charged: %s', (expression, bindings) => {
    expect(evaluate(expression, bindings)).toBe('cost-limit');
  });

  it('preserves the steps of an enclosing one', () => {
    const before = allowSteps(1000);
    evaluate('text.size()', { text: long });
    expect(allowSteps(before)).toBe(1000);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['numbers.all(x, isQuantity(text))', { text: '1.5Gi' }],
    ['numbers.all(x, timestamp(text) == timestamp(text))', { text: '2024-01-01T00:00:00.123456789Z' }],
    ['numbers.all(x, isIP(text))', { text: '10.0.0.1' }],
    ['numbers.all(x, url(text).getHost() == "")', { text: '/path' }],
    ['numbers.all(x, text.findAll("a").size() > 0)', { text: 'a'.repeat(100) }],
    ['numbers.all(x, text.indexOf("aaab") < 0)', { text: 'a'.repeat(1000) }],
  ])('ends before it holds up others for long, whatever the price: %s', (expression, bindings) => {
    const before = workSpent();
    expect(evaluate(expression, bindings)).toBe('cost-limit');
    // a million units, and as many steps as are allowed beside them
    expect(workSpent() - before).toBeLessThan(2 * ruleLimits.perCall + count);
    expect(workSpent() - before).toBeGreaterThan(ruleLimits.perCall);
  });

  it('counts its steps as work beside its cost, and only the cost where neither is limited', () => {
    const before = workSpent();
    evaluate('text.size() == 0', { text: long });
    expect(workSpent() - before).toBeGreaterThan(100_000);
    const compiled = environment.compile('numbers.all(x, x >= 0)');
    const cost = compiled.ok ? compiled.program.evaluate({ numbers }).cost : Number.NaN;
    expect(workSpent() - before).toBeGreaterThan(cost);
    expect(workSpent()).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it('may read the largest data a few times, at any price', () => {
    expect(stepsFor(0)).toBeGreaterThanOrEqual(long.length * 3);
    expect(evaluate('text.size() == text.size() && text.startsWith("a")', { text: long })).toBe(true);
  });
});

/** A list that contains the previous one twice, nested that often. */
function nested(times: number, body: string): string {
  return `cel.bind(list, [1], ${'cel.bind(list, [list, list], '.repeat(times)}${body}${')'.repeat(times + 1)}`;
}

/** Letters a and b without a pattern. */
function scattered(length: number): string {
  let state = 1;
  return Array.from({ length }, () => {
    state = (state * 48_271) % 0x7fffffff;
    return 'ab'[state & 1];
  }).join('');
}

describe('compiling', () => {
  it('is rejected if patterns would take long', () => {
    const patterns = Array.from({ length: 1000 }, (_, i) => `text.matches("a{900}b${i}")`).join(' || ');
    expect(environment.compile(patterns)).toMatchObject({ ok: false, stage: 'check' });
    expect(environment.compile(patterns)).toMatchObject({ ok: false, stage: 'check' });
    expect(environment.compile('text.matches("^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$")')).toMatchObject({
      ok: true,
    });
  });

  it('is rejected if macros copy copies', () => {
    const chain = (length: number): string => `optional.of(1)${'.optMap(x, x)'.repeat(length)}.hasValue()`;
    expect(environment.compile(chain(5))).toMatchObject({ ok: true });
    expect(environment.compile(chain(30))).toMatchObject({ ok: false, stage: 'parse' });
  });
});
