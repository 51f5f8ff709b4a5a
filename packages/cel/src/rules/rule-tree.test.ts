import type { JsonValue, Schema, ValidationRule } from '@ashlar/core';
import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { schemaType } from '../check/schema-type.ts';
import { schemaValue } from '../check/schema-value.ts';
import { types, typeText } from '../check/types.ts';
import { serverEnvironment } from '../environment/server-environment.ts';
import { compileRule } from './rule.ts';
import type { RuleBudget } from './rule-evaluation.ts';
import { compileRuleTree, evaluateRuleTree, evaluateRuleTreeSteps } from './rule-tree.ts';
import { vetExpression } from './vet-expression.ts';

const environment = serverEnvironment({ vocabulary: orchVocabulary });

const withRules = (schema: Schema, ...rules: ValidationRule[]): Schema => ({ ...schema, validations: rules });
const rule = (text: string, more: Partial<ValidationRule> = {}): ValidationRule => ({ rule: text, ...more });

/** Path and detail of every failed rule. */
function failuresOf(
  schema: Schema,
  self: JsonValue,
  oldSelf?: JsonValue,
  budget: RuleBudget = { remaining: 1e7 },
) {
  const tree = compileRuleTree(schema, false, environment);
  const failures = tree ? evaluateRuleTree(tree, { self, oldSelf }, budget) : [];
  return failures.map(({ path, detail }) => {
    const steps = path.map((step) => Object.values(step)[0] as string | number);
    return `${steps.join('.')}: ${detail}`;
  });
}

const scale: Schema = withRules(
  {
    type: 'object',
    properties: {
      min: { type: 'integer' },
      max: withRules({ type: 'integer' }, rule('self < 100', { message: 'too many' })),
      names: { type: 'array', items: withRules({ type: 'string', maxLength: 9 }, rule("self != ''")) },
    },
  },
  rule('self.min <= self.max', {
    messageExpression: "'min ' + string(self.min) + ' is above max ' + string(self.max)",
  }),
);

describe('rules of a schema', () => {
  it('are run at their paths', () => {
    expect(failuresOf(scale, { min: 1, max: 2, names: ['a'] })).toEqual([]);
    expect(failuresOf(scale, { min: 3, max: 2 })).toEqual([': min 3 is above max 2']);
    expect(failuresOf(scale, { min: 1, max: 200, names: ['a', ''] })).toEqual([
      'max: too many',
      "names.1: failed rule: self != ''",
    ]);
  });

  it('find an object with a field that is null equal to nothing, as release 1.32 does', () => {
    const item: Schema = {
      type: 'object',
      properties: { k: { type: 'string' }, c: { type: 'integer', nullable: true } },
    };
    const text = 'self.all(x, self.exists_one(y, y == x))';
    const list = withRules({ type: 'array', items: item, maxItems: 3 }, rule(text));
    expect(failuresOf(list, [{ k: 'a' }, { k: 'b', c: 1 }])).toEqual([]);
    expect(failuresOf(list, [{ k: 'a', c: null }])).toEqual([`: failed rule: ${text}`]);
    const map: Schema = {
      type: 'object',
      additionalProperties: { type: 'integer', nullable: true },
      maxProperties: 3,
    };
    expect(failuresOf(withRules(map, rule('self == self')), { a: null })).toEqual([]);
  });

  it('report values on which they cannot be evaluated', () => {
    expect(failuresOf(scale, { max: 2 })).toEqual([
      ': no such key: min evaluating rule: self.min <= self.max',
    ]);
    const broken = withRules({ type: 'string' }, rule('self + 1'));
    expect(failuresOf(broken, 'a')[0]).toMatch(/^: rule compile error: .*found no matching overload/);
  });

  it('over the old value run only if there is one, unless they are optional', () => {
    const schema = (more: Partial<ValidationRule> = {}) =>
      withRules({ type: 'integer' }, rule('self >= oldSelf', more));
    expect(failuresOf(schema(), 1)).toEqual([]);
    expect(failuresOf(schema(), 1, 2)).toEqual([': failed rule: self >= oldSelf']);
    const asking = withRules(
      { type: 'integer' },
      rule('self >= oldSelf.orValue(5)', { optionalOldSelf: true, message: 'not less than 5' }),
    );
    expect(failuresOf(asking, 1)).toEqual([': not less than 5']);
    expect(failuresOf(asking, 1, 0)).toEqual([]);
  });

  it('stop when the budget is exhausted', () => {
    const budget = { remaining: 3 };
    const schema = withRules(
      { type: 'integer' },
      rule('self > 0'),
      rule('self + self + self > 0'),
      rule('self < 0'),
    );
    const out =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    expect(failuresOf(schema, 1, undefined, budget)).toEqual([`: ${out}`]);
    expect(budget.remaining).toBe(-1);
  });

  it('stop when they have worked for long, however little they cost', () => {
    const map = (): JsonValue => Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
    const schema = withRules(
      { type: 'object', additionalProperties: { type: 'integer' } },
      ...Array.from({ length: 200 }, () => rule('self == oldSelf')),
    );
    const budget: RuleBudget = { remaining: 1e7 };
    const [failure, ...others] = failuresOf(schema, map(), map(), budget);
    expect(failure).toContain('running out of cost budget');
    expect([others, budget.remaining]).toEqual([[], -1]);
  });

  it('are estimated from the limits of the schema', () => {
    const list = (maxItems?: number): Schema => ({
      type: 'array',
      items: { type: 'integer' },
      ...(maxItems !== undefined && { maxItems }),
    });
    const mostOf = (schema: Schema): bigint => {
      const type = schemaType(schema);
      if (!type) throw new Error('no type');
      const compiled = compileRule(rule('self.all(x, x > 0)'), { environment, type, isResourceRoot: false });
      return compiled.condition?.ok ? compiled.condition.estimate.max : -1n;
    };
    expect(mostOf(list(10))).toBeLessThan(100n);
    expect(mostOf(list(20)) - mostOf(list(10))).toBe(mostOf(list(30)) - mostOf(list(20)));
    expect(mostOf(list())).toBeGreaterThan(1_000_000n);
  });
});

describe('the type of a schema', () => {
  const typeOf = (schema: Schema): string => {
    const found = schemaType(schema);
    return found ? typeText(found.type) : 'none';
  };

  it.each<[Schema, string]>([
    [{ type: 'integer' }, 'int'],
    [{ type: 'number' }, 'double'],
    [{ type: 'string', format: 'byte' }, 'bytes'],
    [{ type: 'string', format: 'date-time' }, 'timestamp'],
    [{ type: 'string', format: 'duration' }, 'duration'],
    [{ type: 'array', items: { type: 'string' } }, 'list(string)'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'map(string, bool)'],
    [{ intOrString: true }, 'dyn'],
    [{ preserveUnknownFields: true }, 'none'],
    [{ type: 'object', properties: { a: { type: 'integer' } } }, 'object'],
  ])('%j is %s', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it('writes names that are not identifiers in their escaped form', () => {
    const schema: Schema = {
      type: 'object',
      properties: { 'a-b.c': { type: 'integer' }, in: { type: 'string' } },
    };
    const ruled = withRules(schema, rule("self.a__dash__b__dot__c == 1 && self.__in__ == 'x'"));
    expect(failuresOf(ruled, { 'a-b.c': 1, in: 'x' })).toEqual([]);
    expect(failuresOf(ruled, { 'a-b.c': 2, in: 'x' })).toHaveLength(1);
  });
});

describe('the value of a schema', () => {
  const set: Schema = { type: 'array', items: { type: 'string' }, listType: 'set' };
  const keyed: Schema = {
    type: 'array',
    listType: 'map',
    listMapKeys: ['name'],
    items: { type: 'object', properties: { name: { type: 'string' }, v: { type: 'integer' } } },
  };
  const run = (expression: string, schema: Schema, a: JsonValue, b: JsonValue): unknown => {
    const open = environment.extend({ variables: { a: types.dyn, b: types.dyn } });
    const result = vetExpression(open, expression, { a: schemaValue(a, schema), b: schemaValue(b, schema) });
    return result.ok ? result.value : result.error;
  };

  it('compares sets and keyed lists in any order', () => {
    expect(run('a == b', set, ['x', 'y'], ['y', 'x'])).toBe(true);
    expect(run('a == b', { ...set, listType: 'atomic' }, ['x', 'y'], ['y', 'x'])).toBe(false);
    const [x, y] = [
      { name: 'x', v: 1 },
      { name: 'y', v: 2 },
    ];
    expect(run('a == b', keyed, [x, y], [y, x])).toBe(true);
    expect(run('a == b', keyed, [x, y], [y, { name: 'x', v: 3 }])).toBe(false);
  });

  it('adds sets to their union and keyed lists entry by entry', () => {
    expect(run('a + b', set, ['x', 'y'], ['y', 'z'])).toEqual(['x', 'y', 'z']);
    const merged = run(
      'a + b',
      keyed,
      [
        { name: 'x', v: 1 },
        { name: 'y', v: 2 },
      ],
      [
        { name: 'x', v: 9 },
        { name: 'z', v: 3 },
      ],
    );
    expect(merged).toEqual([
      { name: 'x', v: 9 },
      { name: 'y', v: 2 },
      { name: 'z', v: 3 },
    ]);
  });

  it('converts texts of timestamps, durations and bytes when they are read', () => {
    const schema: Schema = {
      type: 'object',
      properties: {
        at: { type: 'string', format: 'date-time' },
        bytes: { type: 'string', format: 'byte' },
        every: { type: 'string', format: 'duration' },
      },
    };
    const data = { at: '2024-01-01T00:00:00Z', bytes: 'aGk=', every: '90s' };
    expect(run('a.at.getFullYear() + size(a.bytes)', schema, data, null)).toBe(2026);
    expect(run('a.every == duration("1m30s")', schema, data, null)).toBe(true);
  });

  it.each([
    ['duration', '3 days', 'a == duration("72h")', true],
    ['duration', 'null', 'a == a', 'Invalid duration null: unable to parse null as duration'],
    ['date', '0000-01-01', 'a < timestamp("0001-01-01T00:00:00Z")', true],
    ['date-time', '2024-01-01T00:00:00+24:00', 'a == timestamp("2023-12-31T00:00:00Z")', true],
    ['date-time', '2024-01-01T00:00:00', 'a == timestamp("2024-01-01T00:00:00Z")', true],
    ['date-time', '', 'a == timestamp(0)', true],
    [
      'date-time',
      '2024-01-01t00:00:00z',
      'a == a',
      'Invalid date-time formatted string 2024-01-01t00:00:00z: parsing time "2024-01-01t00:00:00z" as "2006-01-02T15:04:05": cannot parse "t00:00:00z" as "T"',
    ],
    ['byte', 'AA==', 'a == b"\\x00"', true],
    ['byte', '+A==', 'a == a', 'Invalid byte formatted string +A==: illegal base64 data at input byte 0'],
  ])('reads the %s %j', (format, text, rule, expected) => {
    const result = run(rule, { type: 'string', format }, text, null);
    expect(String(result).split(' evaluating')[0]).toBe(String(expected));
  });
});

describe('expensive rules', () => {
  const dear = rule('self.all(a, self.all(b, a + b >= 0))', { message: 'never' });
  const schema: Schema = {
    type: 'object',
    additionalProperties: withRules(
      { type: 'array', items: { type: 'integer' }, maxItems: 1000 },
      dear,
      dear,
    ),
  };
  const self = { a: Array.from({ length: 200 }, (_, i) => i), b: [-1] };

  it('yield in between, with the same result', () => {
    const tree = compileRuleTree(schema, false, environment);
    if (!tree) throw new Error('there are no rules');
    const steps = evaluateRuleTreeSteps(tree, { self }, { remaining: 1e7 });
    let pauses = 0;
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        expect(value.map(({ detail }) => detail)).toEqual(['never', 'never']);
        break;
      }
      pauses++;
    }
    expect(pauses).toBe(1);
    expect(failuresOf(schema, self)).toEqual(['b: never', 'b: never']);
  });
});

describe('items of a list map with the same keys', () => {
  it('are compared with the first old one', () => {
    const item: Schema = { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } };
    const items = withRules(item, rule('self.v >= oldSelf.v'));
    const schema: Schema = { type: 'array', listType: 'map', listMapKeys: ['k'], items };
    const list = [
      { k: 'a', v: 1 },
      { k: 'a', v: 2 },
    ];
    expect(failuresOf(schema, list, list)).toEqual([]);
  });
});

describe('the type of an object', () => {
  it('is that of maps when a rule runs', () => {
    const schema: Schema = { type: 'object', properties: { a: { type: 'object', properties: {} } } };
    const self = { a: {} };
    expect(failuresOf(withRules(schema, rule('type(self) == map && type(self.a) == map')), self)).toEqual([]);
    expect(failuresOf(withRules(schema, rule('int(dyn(self.a)) == 1')), self)).toEqual([
      expect.stringContaining('no such overload: int(map)'),
    ]);
  });
});

describe('a declared value beside a value of any type', () => {
  const overload = expect.stringContaining('no such overload');
  const object: Schema = { type: 'object', properties: { a: { type: 'string' } } };
  const list: Schema = { type: 'array', maxItems: 3, items: { type: 'string', maxLength: 3 } };

  it.each<[Schema, JsonValue]>([
    [object, {}],
    [list, ['a']],
  ])('of %j is compared with its like only', (schema, self) => {
    expect(failuresOf(withRules(schema, rule('self == dyn(1)')), self)).toEqual([overload]);
    expect(failuresOf(withRules(schema, rule('self != dyn(1)')), self)).toEqual([]);
    // null is like all of them, and equals none
    expect(failuresOf(withRules(schema, rule('self == dyn(null)')), self)).toEqual(
      ['failed rule: self == dyn(null)'].map((detail) => `: ${detail}`),
    );
    expect(failuresOf(withRules(schema, rule('dyn(1) == self')), self)).toEqual([
      expect.not.stringContaining('no such overload'),
    ]);
  });
});
