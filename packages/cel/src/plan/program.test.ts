import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { overload } from '../check/declarations.ts';
import { type CelType, types } from '../check/types.ts';
import { fixedCost } from '../cost/cost-model.ts';
import { fixedEstimate } from '../cost/estimate-model.ts';
import { createEnvironment, defineFunction, defineType } from '../environment/environment.ts';
import {
  bindings,
  environment,
  everything,
  expressionText,
  sensibleText,
} from '../environment/expressions.fixture.ts';
import { issuesText } from '../syntax/source.ts';
import { toJson } from '../values/to-json.ts';
import { type EvaluationError, Opaque, type Value } from '../values/values.ts';
import { Suspension } from './frame.ts';
import { PlanError } from './plan.ts';
import type { Evaluation, Program } from './program.ts';

// Properties take long on busy machines.
vi.setConfig({ testTimeout: 60_000 });

function compile(text: string, within = environment): Program {
  const compiled = within.compile(text);
  if (!compiled.ok) throw new Error(compiled.text);
  return compiled.program;
}

/** The value as JSON, or `error: …`. */
function run(text: string, within = environment): unknown {
  const parsed = within.parse(text);
  if (!parsed.ok) throw new Error(issuesText(text, parsed.issues));
  const checked = within.check(parsed.expression);
  const result = within.program(checked.ok ? checked.expression : parsed.expression).evaluate(bindings);
  return result.ok ? toJson(result.value) : `error: ${result.error.message}`;
}

describe('integers', () => {
  it.each([
    ['9223372036854775806 + 1', '9223372036854775807'],
    ['9223372036854775807 + count', 'error: integer overflow'],
    ['-9223372036854775808 - count', 'error: integer overflow'],
    ['4611686018427387904 * (count - 7)', 'error: integer overflow'],
    ['3037000500 * (count - 9 + 3037000499)', '9223372033963249500'],
    ['-(-9223372036854775808 + count - 9)', 'error: integer overflow'],
    ['(-9223372036854775808 + count - 9) / -1', 'error: integer overflow'],
    ['9007199254740993 - count', 9007199254740984],
    ['-7 / 2', -3],
    ['-7 % 2', -1],
    ['count / 0', 'error: division by zero'],
    ['count % 0', 'error: modulus by zero'],
    ['1u - uint(count)', 'error: unsigned integer overflow'],
    ['uint(-count)', 'error: unsigned integer overflow'],
    ['18446744073709551615u + uint(count)', 'error: unsigned integer overflow'],
    ['int(9.3e18 * double(count))', 'error: integer overflow'],
    ['int("-9223372036854775808")', '-9223372036854775808'],
  ])('%s returns %j', (text, expected) => {
    const actual = run(text);
    expect(typeof actual === 'number' ? String(actual) : actual).toEqual(
      typeof expected === 'number' ? String(expected) : expected,
    );
  });

  it('have 64 bits', () => {
    const int = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const near = fc.oneof(int, fc.bigInt(-20n, 20n), fc.bigInt(2n ** 53n - 3n, 2n ** 53n + 3n));
    const operators: Record<string, (a: bigint, b: bigint) => bigint> = {
      '+': (a, b) => a + b,
      '-': (a, b) => a - b,
      '*': (a, b) => a * b,
      '/': (a, b) => a / b,
      '%': (a, b) => a % b,
    };
    const numbers = createEnvironment({ variables: { a: types.int, b: types.int } });
    const programs = new Map(Object.keys(operators).map((sign) => [sign, compile(`a ${sign} b`, numbers)]));
    const plain = (value: bigint): Value => (Number.isSafeInteger(Number(value)) ? Number(value) : value);
    fc.assert(
      fc.property(near, near, fc.constantFrom(...Object.keys(operators)), (a, b, sign) => {
        const result = programs.get(sign)?.evaluate({ a: plain(a), b: plain(b) });
        if (b === 0n && '/%'.includes(sign)) {
          expect(result?.ok).toBe(false);
          return;
        }
        const exact = operators[sign]?.(a, b) as bigint;
        const fits = BigInt.asIntN(64, exact) === exact && !(a === -(2n ** 63n) && b === -1n && sign === '%');
        expect(result?.ok ? BigInt(result.value as number | bigint) : undefined).toBe(
          fits ? exact : undefined,
        );
      }),
    );
  });
});

describe('equality and order', () => {
  it.each([
    ['1 == 1.0 && 1 == 1u && dyn(1u) == 1.0', true],
    ['[1, 2.0] == [1.0, 2]', true],
    ['{1: "a"} == {1.0 == 1.0 ? 1 : 2: "a"}', true],
    ['dyn(1) == "1"', false],
    ['0.0 == -0.0', true],
    ['double("nan") == double("nan")', false],
    ['null == dyn(0)', false],
    ['1 < 1.5 && 2u > 1 && -1 < 0u', true],
    ['9007199254740993 > 9007199254740992 && 9007199254740993 != 9007199254740992', true],
    ['"\uffff" < "😀"', true],
    ["b'\\xfe' < b'\\xff'", true],
    ['timestamp("2024-01-01T01:00:00+01:00") == timestamp("2024-01-01T00:00:00Z")', true],
    ['duration("60s") == duration("1m")', true],
    ['type(1) == int && type(1.0) == double && type(type(1)) == type', true],
    ['2 in [1.0, 2.0]', true],
    ['"__proto__" in {"a": 1}', false],
  ])('%s is %j', (text, expected) => {
    expect(run(text)).toBe(expected);
  });
});

describe('errors are values', () => {
  it.each([
    ['1 / 0 > 0 || true', true],
    ['true || 1 / 0 > 0', true],
    ['1 / 0 > 0 && false', false],
    ['1 / 0 > 0 || false', 'error: division by zero'],
    ['1 / 0 > 0 && true', 'error: division by zero'],
    ['false ? 1 / 0 : 2', 2],
    ['[1, 0].exists(x, 1 / x > 0)', true],
    ['[0, 1].exists(x, 1 / x > 0)', true],
    ['[0, 1].all(x, 1 / x < 0)', false],
    ['[0, 1].all(x, 1 / x > 0)', 'error: division by zero'],
    ['[0, 1].exists_one(x, 1 / x > 0)', 'error: division by zero'],
    ['object.missing', 'error: no such key: missing'],
    ['has(object.missing.deeper)', 'error: no such key: missing'],
    ['has(object.spec.deeper)', false],
    ['object.?missing.deeper.orValue(7)', 7],
    ['numbers[10]', 'error: index out of bounds: 10'],
    ['object.constructor', 'error: no such key: constructor'],
    ['object.spec.tags.length', 'error: no such overload'],
    ['dyn(1).a', 'error: no such key: a'],
    ["has(dyn('x').a)", false],
    ['dyn(1).?a.orValue(7)', 7],
    ['optional.of(dyn(1)).a', 'error: no such key: a'],
    ["dyn('x').all(y, true)", "error: got 'types.String', expected iterable type"],
    ['dyn(2.0).map(y, y)', "error: got 'types.Double', expected iterable type"],
    ['object.spec + 1', 'error: no such overload: _+_'],
    ['1 + object.spec', 'error: no such overload'],
    ['dyn(null).size()', 'error: no such overload: size'],
    ["dyn(1).startsWith('a')", 'error: no such overload'],
    ["dyn(1).contains('a')", 'error: no such overload'],
    ['int(object.spec)', 'error: no such overload: int(map)'],
    ['-dyn(1u)', 'error: no such overload: -_'],
    ['dyn(2.0) % 2', 'error: no such overload: _%_'],
    ['nothing', "error: undeclared reference to 'nothing' (in container '')"],
    ['{"a": 1, "a": 2}', 'error: Failed with repeated key'],
  ])('%s returns %j', (text, expected) => {
    expect(run(text)).toEqual(expected);
  });

  it('have a position', () => {
    const result = compile('count > 1 && 10 / (count - 9) > 1').evaluate(bindings);
    expect(result.ok ? undefined : (result.error as EvaluationError).position).toBe(16);
  });
});

describe('limits', () => {
  const range = Array.from({ length: 1000 }, (_, i) => i);

  it('stop evaluations that cost too much, and report the cost', () => {
    const program = compile('numbers.all(x, numbers.all(y, numbers.all(z, x + y + z >= 0)))');
    const result = program.evaluate({ numbers: range }, { costLimit: 5000 });
    expect(result).toMatchObject({
      ok: false,
      interrupted: 'cost-limit',
      error: { message: 'operation cancelled: actual cost limit exceeded' },
    });
    expect(result.cost).toBeLessThan(5100);
    expect(compile('duration("1h")').evaluate({}, { costLimit: 0 }).ok).toBe(true);
    expect(compile('count').evaluate(bindings, { costLimit: 0 }).ok).toBe(false);
  });

  it('count calls whose operands are errors', () => {
    const result = compile('[[1]].flatten(numbers[9]).size() > 0').evaluate(bindings, { costLimit: 1000 });
    expect(result).toMatchObject({ ok: false, error: { message: 'index out of bounds: 9' } });
    expect(result.cost).toBeGreaterThan(0);
  });

  it('stop at a cost of NaN', () => {
    const cost = fixedCost(Number.NaN);
    const free = defineFunction({
      name: 'free',
      overloads: [overload('free_int', [types.int], types.int, (value: Value) => value, { cost })],
    });
    const result = compile('free(1) == 1', createEnvironment({ functions: [free] })).evaluate(
      {},
      { costLimit: 9 },
    );
    expect(result).toMatchObject({ ok: false, interrupted: 'cost-limit' });
  });

  it('stop when the signal is aborted', () => {
    const aborted = AbortSignal.abort();
    const result = compile('numbers.all(x, x >= 0)').evaluate({ numbers: range }, { signal: aborted });
    expect(result).toMatchObject({ ok: false, interrupted: 'aborted' });
    expect(compile('count + 1').evaluate(bindings, { signal: aborted }).ok).toBe(true);
  });

  it('turn limits of the engine into errors', () => {
    const doubled = Array.from({ length: 40 }, () => 0);
    const program = compile(
      `cel.bind(a, name, ${doubled.reduce((text) => `cel.bind(a, a + a, ${text})`, 'a.size()')})`,
    );
    expect(program.evaluate({ name: 'x'.repeat(1000) })).toMatchObject({
      ok: false,
      interrupted: 'resources',
    });
  });
});

describe('cost', () => {
  it('is deterministic, and within the estimate', () => {
    // the longest text of a number, a duration or a time has 35 characters
    const sizes = (): { min: bigint; max: bigint } => ({ min: 0n, max: 40n });
    fc.assert(
      fc.property(sensibleText, (text) => {
        const compiled = environment.compile(text);
        if (!compiled.ok) return;
        const first = compiled.program.evaluate(bindings);
        expect(compiled.program.evaluate(bindings).cost).toBe(first.cost);
        const { max } = environment.estimate(compiled.expression, sizes);
        expect(first.cost).toBeLessThanOrEqual(Number(max));
      }),
      { examples: [['!string(count).contains((name + string(9223372036854775807)))']] },
    );
  });
});

describe('plans', () => {
  const general = (text: string): Program | undefined => {
    const parsed = environment.parse(text);
    const checked = parsed.ok ? environment.check(parsed.expression) : undefined;
    if (!checked?.ok) return undefined;
    return environment.program(checked.expression, { generalLoops: true });
  };

  it('of loops for macros have the values and costs of the general loop', () => {
    fc.assert(
      fc.property(sensibleText, (text) => {
        const compiled = environment.compile(text);
        const other = general(text);
        if (!compiled.ok || !other) return;
        const [a, b] = [compiled.program.evaluate(bindings), other.evaluate(bindings)];
        expect(a.cost).toBe(b.cost);
        expect(a.ok ? toJson(a.value) : a.error.message).toEqual(b.ok ? toJson(b.value) : b.error.message);
      }),
    );
  });

  it('without the checker have the values of those with it', () => {
    fc.assert(
      fc.property(sensibleText, (text) => {
        const parsed = environment.parse(text);
        const compiled = environment.compile(text);
        if (!parsed.ok || !compiled.ok) return;
        const unchecked = environment.program(parsed.expression).evaluate(bindings);
        const result = compiled.program.evaluate(bindings);
        expect(unchecked.ok ? toJson(unchecked.value) : 'error').toEqual(
          result.ok ? toJson(result.value) : 'error',
        );
      }),
    );
  });
});

describe('any expression', () => {
  /** Undefined if it cannot be parsed, or is known in advance to have no value. */
  function runUnchecked(text: string, costLimit: number): Evaluation | undefined {
    const parsed = environment.parse(text);
    if (!parsed.ok) return undefined;
    try {
      return environment.program(parsed.expression).evaluate(bindings, { costLimit });
    } catch (error) {
      expect(error).toBeInstanceOf(PlanError);
      return undefined;
    }
  }

  it('returns a value or an error within its budget', () => {
    const costLimit = 10_000;
    fc.assert(
      fc.property(expressionText, (text) => {
        const result = runUnchecked(text, costLimit);
        if (!result) return;
        expect(result.ok || result.error.message !== '').toBe(true);
        expect(result.ok ? result.cost : 0).toBeLessThanOrEqual(costLimit);
        const compiled = environment.compile(text);
        const checked = compiled.ok && compiled.program.evaluate(bindings, { costLimit });
        if (checked !== false && checked.ok)
          expect(JSON.stringify(toJson(checked.value))).toBeTypeOf('string');
      }),
      { numRuns: 300 },
    );
  });
});

describe('data of other than the declared types', () => {
  it.each([
    'name.upperAscii()',
    'words[0].trim()',
    'labels.app.split(",")',
    'words.join(",")',
    'numbers.sum()',
    'numbers.map(x, x + 1)',
  ])('return an error for %s', (text) => {
    const result = compile(text).evaluate({
      name: 1,
      words: [true, 2],
      labels: { app: null },
      numbers: ['a', {}],
    });
    expect(result.ok).toBe(false);
  });
});

describe('a host', () => {
  class Money extends Opaque {
    readonly cents: number;
    constructor(cents: number) {
      super();
      this.cents = cents;
    }
    get type(): CelType {
      return money;
    }
    equals(other: Opaque): boolean {
      return other instanceof Money && other.cents === this.cents;
    }
  }
  const money = defineType('Money');
  const functions = [
    defineFunction({
      name: 'money',
      overloads: [
        overload('int_to_money', [types.int], money, (cents: number) => new Money(cents), {
          cost: fixedCost(5),
          estimate: fixedEstimate(5),
        }),
      ],
    }),
    defineFunction({
      name: '_+_',
      overloads: [
        overload('add_money', [money, money], money, (a: Money, b: Money) => new Money(a.cents + b.cents)),
      ],
    }),
    defineFunction({
      name: 'cents',
      overloads: [{ ...overload('money_cents', [money], types.int, (a: Money) => a.cents), member: true }],
    }),
  ];
  const extended = createEnvironment(everything).extend({ functions, types: [money] });

  it('adds functions, operators and types with costs', () => {
    const compiled = extended.compile('(money(count) + money(1)).cents()');
    if (!compiled.ok) throw new Error(compiled.text);
    expect(compiled.program.evaluate(bindings)).toEqual({ ok: true, value: 10, cost: 8 + 5 });
    expect(extended.estimate(compiled.expression)).toEqual({ min: 13n, max: 13n });
    expect(extended.compile('type(money(1)) == Money').ok).toBe(true);
    expect(extended.compile('money(1) + 1').ok).toBe(false);
    expect(environment.compile('money(1)').ok).toBe(false);
  });

  it('may respond asynchronously', async () => {
    let result: number | undefined;
    const environment = createEnvironment({
      functions: [
        defineFunction({
          name: 'ask',
          overloads: [
            overload('ask', [types.int], types.int, (question: number) => {
              if (result !== undefined) return result;
              throw new Suspension(
                Promise.resolve().then(() => {
                  result = question * 2;
                }),
              );
            }),
          ],
        }),
      ],
      variables: { count: types.int },
    });
    const program = compile('ask(count) + 1', environment);
    expect(await program.evaluateAsync({ count: 4 })).toEqual({ ok: true, value: 9, cost: 3 });
  });
});
