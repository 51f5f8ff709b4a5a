import { environmentSet } from '@ashlar/cel';
import { fieldErrorText, type JsonObject, type JsonValue, orchVocabulary as vocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import {
  checkDefinitionSchema,
  checkDefinitionSchemaSteps,
  type DefinitionSchemaOptions,
} from './check-definition-schema.ts';
import { newAllowance } from './definition-allowance.ts';

const check = (schema: JsonValue, options: Partial<DefinitionSchemaOptions> = {}): string[] =>
  checkDefinitionSchema(schema, { vocabulary, path: 'schema', ...options })
    .map((error) => fieldErrorText(error).replace(/apiextensions\.ValidationRule\{.*?nil\)\}/, '<rule>'))
    .sort();

const withRules = (schema: JsonObject, ...rules: (string | JsonObject)[]): JsonObject => ({
  ...schema,
  'x-orch-validations': rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const specOf = (spec: JsonObject): JsonObject => ({ type: 'object', properties: { spec } });
const SPEC = 'schema.properties[spec]';
const RULE = `${SPEC}.x-orch-validations[0]`;
const ADVICE =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

describe('the rules of a schema', () => {
  it('are compiled with a pause after each', () => {
    const pauses = (count: number): number => {
      const fields = Array.from({ length: count }, (_, i) => [
        `f${i}`,
        withRules({ type: 'string' }, "self != ''"),
      ]);
      const schema = specOf({ type: 'object', properties: Object.fromEntries(fields) });
      const steps = checkDefinitionSchemaSteps(schema, { vocabulary, path: 'schema' });
      let made = 0;
      while (!steps.next().done) made++;
      return made;
    };
    expect(pauses(20) - pauses(10)).toBe(10);
  });

  it('are accepted', () => {
    expect(check(specOf(withRules({ type: 'string' }, "self != ''")))).toEqual([]);
  });

  it.each<[string, string | JsonObject, string]>([
    ['are of type bool', 'self', 'rule: Invalid value: <rule>: cel expression must evaluate to a bool'],
    [
      'compile',
      'self.nope',
      "rule: Invalid value: <rule>: compilation failed: ERROR: <input>:1:5: type 'string' does not support field selection\n | self.nope\n | ....^",
    ],
    [
      'have messages that are texts',
      { rule: 'true', messageExpression: '1' },
      'messageExpression: Invalid value: <rule>: messageExpression must evaluate to a string',
    ],
    [
      'say what they see of the old value only where they see it',
      { rule: 'true', optionalOldSelf: false },
      'optionalOldSelf: Invalid value: false: may not be set if oldSelf is not used in rule',
    ],
  ])('%s', (_, rule, text) => {
    expect(check(specOf(withRules({ type: 'string' }, rule)))).toEqual([`${RULE}.${text}`]);
  });

  it('print as their text', () => {
    const rule = { rule: '"a"', message: 'm' };
    const [error] = checkDefinitionSchema(specOf(withRules({ type: 'string' }, rule)), {
      vocabulary,
      path: 'schema',
    });
    expect(error?.message).toContain(
      'apiextensions.ValidationRule{Rule:"\\"a\\"", Message:"m", MessageExpression:"", Reason:(*apiextensions.FieldValueErrorReason)(nil), FieldPath:"", OptionalOldSelf:(*bool)(nil)}',
    );
  });

  it('see the old value only where values correlate', () => {
    const item = withRules({ type: 'integer' }, 'self >= oldSelf');
    const text = `${SPEC}.items.x-orch-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${SPEC}`;
    expect(check(specOf({ type: 'array', maxItems: 5, items: item }))).toEqual([text]);
    const part = withRules({ type: 'integer' }, 'self >= oldSelf');
    const odd = { type: 'object', properties: { part }, 'x-orch-map-type': 'other' };
    expect(check(specOf(odd))).toContain(
      `${SPEC}.properties[part].x-orch-validations[0].rule: Invalid value: "self >= oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${SPEC}`,
    );
    const keyed = withRules(
      { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] },
      'self == oldSelf',
    );
    const list = {
      type: 'array',
      maxItems: 5,
      items: keyed,
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['key'],
    };
    expect(check(specOf(list))).toEqual([]);
  });

  it('require a type', () => {
    const schema = withRules({ 'x-orch-preserve-unknown-fields': true }, 'true');
    expect(check(specOf(schema))).toEqual([
      `${SPEC}.x-orch-validations: Internal error: internal error: failed to construct type information for x-orch-validations rules: unable to convert structural schema to CEL declarations`,
    ]);
  });

  it('have no type within what has none, if there are rules around it', () => {
    const inner = withRules({ type: 'string' }, 'self.size() > 0');
    const wrong = { type: 'Opaque', properties: { a: inner } };
    const schema = (around: string[]) =>
      specOf(withRules({ type: 'object', properties: { b: wrong } }, ...around));
    const errors = check(schema(['has(self.b)']));
    expect([...errors].sort()).toEqual([
      expect.stringMatching(
        /properties\[b\]\.properties\[a\]\.x-orch-validations: Internal error: .*unable to convert/,
      ),
      expect.stringMatching(/properties\[b\]\.type: Unsupported value: "Opaque"/),
    ]);
    expect(check(schema([]))).toEqual([expect.stringMatching(/Unsupported value: "Opaque"/)]);
  });

  it('have no declaration in values of what is a number or text', () => {
    const values = withRules({ type: 'string' }, 'self.size() > 0');
    const schema = { type: 'object', additionalProperties: values, 'x-orch-int-or-string': true };
    const errors = check(specOf(withRules({ type: 'object', properties: { b: schema } }, 'has(self.b)')));
    expect(errors).toContain(
      `${SPEC}.properties[b].additionalProperties.x-orch-validations: Internal error: failed to convert to declType for CEL validation rules`,
    );
  });

  it('are not checked while the schema there is invalid', () => {
    const wrong = { type: 'string', 'x-orch-map-type': 'atomic' };
    const schema = (inner: JsonObject) =>
      specOf(
        withRules(
          { type: 'object', properties: { a: inner, b: withRules({ type: 'string' }, 'self') } },
          'self',
        ),
      );
    expect(check(schema(wrong))).toEqual([
      `${SPEC}.properties[a].type: Invalid value: "string": must be object if x-orch-map-type is specified`,
      `${SPEC}.properties[b].x-orch-validations[0].rule: Invalid value: <rule>: cel expression must evaluate to a bool`,
    ]);
  });
});

describe('the number of expressions', () => {
  const field = withRules({ type: 'string' }, { rule: 'true', messageExpression: "'no'" }, "self != ''");
  const schema = specOf({ type: 'object', properties: { a: field, b: field } });
  const tooMany =
    'schema.properties[spec].properties[b].x-orch-validations: Too many: 1251: must have at most 1250 items';

  it('is limited for all versions of a definition together', () => {
    const allowance = { ...newAllowance(), expressions: 11 };
    expect(check(schema, { allowance })).toEqual([]);
    expect(check(schema, { allowance })).toEqual([tooMany]);
    const wrong = specOf(withRules({ type: 'string' }, 'nothing'));
    expect(check(wrong, { allowance: { ...newAllowance(), expressions: 0 } })).toEqual([
      'schema.properties[spec].x-orch-validations: Too many: 1251: must have at most 1250 items',
    ]);
    expect(check(wrong, { allowance })).toEqual([]);
  });

  it('is checked before any of them is compiled', () => {
    const wrong = withRules({ type: 'string' }, 'nothing');
    const before = specOf({ type: 'object', properties: { a: wrong, b: field } });
    const allowance = { ...newAllowance(), expressions: 3 };
    expect(check(before, { allowance })).toEqual([tooMany]);
    expect(check(before)).toEqual([expect.stringContaining("undeclared reference to 'nothing'")]);
  });

  it('may stay as it is in a stored definition', () => {
    const allowance = { ...newAllowance(), expressions: 5 };
    expect(check(schema, { allowance, storedSchemas: [schema], storedSchema: schema })).toEqual([]);
    expect(check(schema, { allowance, storedSchemas: [schema] })).toEqual([tooMany]);
  });
});

describe('the number of schemas in combinations', () => {
  const names = (count: number): JsonObject[] => Array.from({ length: count }, () => ({ required: ['a'] }));
  const schema = (count: number): JsonObject =>
    specOf({
      type: 'object',
      properties: { a: { type: 'string' } },
      anyOf: [{ not: {} }, ...names(count - 2)],
    });
  const tooMany =
    'schema: Invalid value: "": must not have more than 25000 schemas in allOf, anyOf, oneOf and not, those of other versions included';

  it('is limited for all versions of a definition together', () => {
    expect(check(schema(25_001))).toEqual([tooMany]);
    const allowance = { ...newAllowance(), combinedSchemas: 11 };
    expect(check(schema(10), { allowance })).toEqual([]);
    expect(check(schema(2), { allowance })).toEqual([tooMany]);
  });

  it('may stay as it is in a stored definition', () => {
    const allowance = { ...newAllowance(), combinedSchemas: 0 };
    expect(check(schema(3), { allowance, storedSchemas: [schema(3)], storedSchema: schema(3) })).toEqual([]);
    expect(check(schema(3), { allowance, storedSchemas: [schema(3)] })).toEqual([tooMany]);
  });
});

describe('the estimated cost of rules', () => {
  const texts: JsonObject = { type: 'array', items: { type: 'string' } };

  it('is limited for each and in total', () => {
    const schema = specOf(withRules(texts, 'self.all(x, self.all(y, x != y))'));
    expect(check(schema)).toEqual([
      `${RULE}.rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      `${RULE}.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${ADVICE}`,
      `schema: Forbidden: x-orch-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of more than 100x ${ADVICE}`,
    ]);
    const bounded = { ...texts, maxItems: 10, items: { type: 'string', maxLength: 10 } };
    expect(check(specOf(withRules(bounded, 'self.all(x, self.all(y, x != y))')))).toEqual([]);
  });

  it('counts what dyn() hides as of any size', () => {
    const items = withRules({ type: 'string' }, "self == dyn('a')");
    expect(check(specOf({ type: 'array', items })).join('\n')).toContain(
      'estimated rule cost exceeds budget',
    );
    const known = withRules({ type: 'string' }, "self == 'a'");
    expect(check(specOf({ type: 'array', items: known }))).toEqual([]);
  });

  it('counts how often a rule runs', () => {
    const item = withRules({ type: 'string', maxLength: 1000 }, "self.matches('^a+$')");
    const list = (maxItems: number): JsonObject => specOf({ type: 'array', maxItems, items: item });
    expect(check(list(10))).toEqual([]);
    expect(check(list(5000)).join('\n')).toMatch(/estimated rule cost exceeds budget by factor of 8.0x/);
  });

  it('rounds halves of the factor to even', () => {
    const rule = "self.startsWith('abcdefghij')"; // 1 for the text, 1 for reading it
    const item = withRules({ type: 'string', maxLength: 10 }, rule);
    const list = (maxItems: number): string =>
      check(specOf({ type: 'array', maxItems, items: item })).join('\n');
    expect(list(21_250_000)).toContain('exceeds budget by factor of 4.2x');
    expect(list(23_750_000)).toContain('exceeds budget by factor of 4.8x');
  });

  it('counts messages too', () => {
    const rule = {
      rule: 'true',
      messageExpression: "self.map(x, x + x).join(',') + self.map(x, x).join(',')",
    };
    expect(check(specOf(withRules(texts, rule))).join('\n')).toMatch(
      /messageExpression: Forbidden: estimated messageExpression cost exceeds budget/,
    );
  });

  it('is that of the largest text for a number or text, whatever its maximum length', () => {
    const value = withRules({ 'x-orch-int-or-string': true, maxLength: 5 }, 'self.all(x, self[x] == 1)');
    expect(check(specOf(value)).join('\n')).toMatch(/estimated rule cost exceeds budget by factor of 2.2x/);
    expect(check(specOf(value), { environments: environmentSet('1.34', { vocabulary }) })).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['named parts have no size', 'self.?text.optMap(x, x + "a").orValue("") == "b"', ''],
    ['elements of a literal have that of the whole', '[self.text][0].matches("a+")', ''],
    ['elements of a variable have their own', 'self.texts[0].matches("a+")', 'exceeds budget by factor of'],
  ])('follows what release 1.32 knows of sizes: %s', (_, rule, expected) => {
    const properties = { text: { type: 'string' }, texts: { type: 'array', items: { type: 'string' } } };
    const items = withRules({ type: 'object', properties }, rule);
    const errors = check(specOf({ type: 'array', maxItems: 100, items }));
    expect(errors.join('\n')).toContain(expected);
    expect(errors.length === 0).toBe(expected === '');
  });

  it('is not limited for single rules of an unchanged stored schema', () => {
    const item = withRules({ type: 'string', maxLength: 1000 }, "self.matches('^a+$')");
    const schema = specOf({ type: 'array', maxItems: 5000, items: item });
    expect(check(schema).length).toBeGreaterThan(0);
    const rest = check(schema, { storedSchema: structuredClone(schema) as JsonValue });
    expect(rest.filter((text) => text.includes('estimated rule cost exceeds'))).toEqual([]);
  });
});

describe('functions of later releases', () => {
  it.each([
    '[1].existsOne(x, x == 1)',
    '[1].first().hasValue()',
    '[1].last().hasValue()',
    'optional.unwrap([optional.of(1)]) == [1]',
    '[optional.of(1)].unwrapOpt() == [1]',
  ])('are not there yet: %s', (rule) => {
    const schema = specOf(withRules({ type: 'string' }, rule));
    expect(check(schema).join('\n')).toContain('undeclared reference to');
    expect(check(schema, { environments: environmentSet('1.34', { vocabulary }) })).toEqual([]);
  });
});

describe('the format int-or-string', () => {
  it('leaves the type of a text as it is', () => {
    const text = withRules({ type: 'string', format: 'int-or-string' }, 'self == 5');
    expect(check(specOf(text)).join('\n')).toContain("no matching overload for '_==_'");
  });
});

describe('functions of the current release', () => {
  const rule = { rule: 'self.all(i, v, v > i)', messageExpression: "self.all(i, v, v > i) ? 'a' : 'b'" };
  const schema = specOf(withRules({ type: 'array', maxItems: 5, items: { type: 'integer' } }, rule));

  it('are rejected in new expressions', () => {
    expect(check(schema)[0]).toMatch(/undeclared reference to 'all'|undeclared reference/);
  });

  it('are accepted in stored ones', () => {
    expect(check(schema, { storedSchemas: [schema] })).toEqual([]);
    const onlyRule = specOf(withRules({ type: 'object' }, { rule: rule.rule }));
    expect(check(schema, { storedSchemas: [onlyRule] })[0]).toMatch(/messageExpression compilation failed/);
  });

  it('are accepted in new ones in the next release', () => {
    expect(check(schema, { environments: environmentSet('1.33', { vocabulary }) })).toEqual([]);
  });
});

describe('rules over a default', () => {
  it('are run as on an unchanged value and on a new one', () => {
    const schema = (...rules: (string | JsonObject)[]): JsonObject =>
      specOf(withRules({ type: 'integer', default: 5 }, ...rules));
    const text = (detail: string): string[] => [
      `${SPEC}.default: Invalid value: "integer": failed rule: ${detail}`,
    ];
    expect(check(schema('self > 4'))).toEqual([]);
    expect(check(schema('self > 5'))).toEqual(text('self > 5'));
    expect(check(schema('self > oldSelf'))).toEqual(text('self > oldSelf'));
    const fresh = { rule: 'oldSelf.hasValue()', optionalOldSelf: true };
    expect(check(schema(fresh))).toEqual(text('oldSelf.hasValue()'));
  });

  it('share a budget', () => {
    const rule = 'self.all(x, self.all(y, x + y >= 0))';
    const many = Array.from({ length: 250 }, (_, i) => i);
    const list = withRules({ type: 'array', items: { type: 'integer' }, default: many }, rule);
    const properties = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`list${i}`, list]));
    const errors = check(specOf({ type: 'object', properties }));
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('running out of cost budget');
  });
});
