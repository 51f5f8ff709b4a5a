import {
  FieldErrors,
  fieldErrorText,
  type JsonValue,
  type Schema,
  type ValidationRule,
  orchVocabulary as vocabulary,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { compileValidator } from './compile-validator.ts';

const UNCHECKED =
  '<nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';

const withRules = (schema: Schema, ...rules: (string | ValidationRule)[]): Schema => ({
  ...schema,
  validations: rules.map((rule) => (typeof rule === 'string' ? { rule } : rule)),
});
const objectOf = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const validatorOf = (spec: Schema) => compileValidator(objectOf({ spec }), { vocabulary });

const validate = (spec: Schema, value: JsonValue): string[] =>
  validatorOf(spec).validate({ spec: value }).map(fieldErrorText);

function update(spec: Schema, value: JsonValue, old: JsonValue): { errors: string[]; warnings: string[] } {
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  const errors = validatorOf(spec).validateUpdate({ spec: value }, { spec: old }, { warn });
  return { errors: errors.map(fieldErrorText), warnings };
}

const RANGE = withRules(
  objectOf({ min: { type: 'integer' }, max: withRules({ type: 'integer' }, 'self < 100') }),
  { rule: '!has(self.max) || self.min <= self.max', message: 'min is above max' },
);

describe('a new object', () => {
  it('reports errors of its schema, then those of its rules', () => {
    expect(validate(RANGE, { min: 1, max: 2 })).toEqual([]);
    expect(validate(RANGE, { min: 300, max: 200 })).toEqual([
      'spec: Invalid value: "object": min is above max',
      'spec.max: Invalid value: "integer": failed rule: self < 100',
    ]);
    expect(validate(RANGE, { min: 1.5, max: 200 })).toEqual([
      'spec.min: Invalid value: "number": spec.min in body must be of type integer: "number"',
      UNCHECKED,
    ]);
  });

  it('reports errors of its kind between those of the schema and of the rules, as recorded', () => {
    const own = [FieldErrors.invalid('.spec.min', 0, 'accessor error')];
    const faulty = validatorOf(RANGE).validate({ spec: { min: 1.5, max: 200 } }, { own });
    expect(faulty.map(({ field }) => field)).toEqual(['spec.min', '.spec.min', '<nil>']);
    const broken = validatorOf(RANGE).validate({ spec: { min: 300, max: 2 } }, { own });
    expect(broken.map(({ field }) => field)).toEqual(['.spec.min', 'spec']);
    const plain = compileValidator({ type: 'object' }, { vocabulary });
    expect(plain.validate({}, { own })).toEqual(own);
  });

  it.each(['datetime', 'date-time'])('takes texts of the format %s for times', (format) => {
    const time = withRules({ type: 'string', format }, "self.find('[0-9]+') == '1'");
    expect(validate(time, '2024-01-01T00:00:00Z')[0]).toContain("'timestamp.(string)'");
  });

  it('runs its rules although a bound or pattern is violated', () => {
    const schema = withRules({ type: 'string', pattern: '^a' }, "self != 'b'");
    expect(validate(schema, 'b')).toEqual([
      `spec: Invalid value: "b": spec in body should match '^a'`,
      `spec: Invalid value: "string": failed rule: self != 'b'`,
    ]);
  });

  it('skips its rules if earlier errors make them unsafe', () => {
    const found = [FieldErrors.required('metadata.ownerReferences[0].uid', 'must not be empty')];
    const errors = validatorOf(RANGE).validate({ spec: { min: 2, max: 1 } }, { found });
    expect(errors.map(fieldErrorText)).toEqual([UNCHECKED]);
    const harmless = [FieldErrors.invalid('metadata.name', 'A', 'is no name')];
    expect(validatorOf(RANGE).validate({ spec: { min: 2, max: 1 } }, { found: harmless })).toHaveLength(1);
    const plain = compileValidator({ type: 'object' }, { vocabulary });
    expect(plain.validate({}, { found })).toEqual([]);
  });

  it('reports rules under their reason and fieldPath', () => {
    const schema = withRules(
      objectOf({
        'a-b': { type: 'integer' },
        map: { type: 'object', additionalProperties: { type: 'integer' } },
      }),
      { rule: 'false', reason: 'FieldValueRequired', fieldPath: "['a-b']", message: 'is missing' },
      { rule: 'false', reason: 'FieldValueForbidden', message: 'is too much' },
      { rule: 'false', reason: 'FieldValueDuplicate', fieldPath: '.map.key', message: 'is not reported' },
    );
    expect(validate(schema, {})).toEqual([
      'spec.a-b: Required value: is missing',
      'spec: Forbidden: is too much',
      'spec.map[key]: Duplicate value: "object"',
    ]);
  });

  it('reports rules at keys and items with their paths', () => {
    const leaf = withRules({ type: 'integer' }, 'self > 0');
    const schema = objectOf({
      list: { type: 'array', items: leaf },
      map: { type: 'object', additionalProperties: leaf },
    });
    expect(validate(schema, { list: [1, 0], map: { 'x.y': 0 } })).toEqual([
      'spec.list[1]: Invalid value: "integer": failed rule: self > 0',
      'spec.map[x.y]: Invalid value: "integer": failed rule: self > 0',
    ]);
  });

  it('reaches fields whose names are not identifiers', () => {
    const schema = withRules(
      objectOf({ 'a-b': { type: 'integer' }, 'x/y.z': { type: 'integer' }, namespace: { type: 'string' } }),
      "self.a__dash__b == 1 && self.x__slash__y__dot__z == 2 && self.__namespace__ == 'n'",
    );
    expect(validate(schema, { 'a-b': 1, 'x/y.z': 2, namespace: 'n' })).toEqual([]);
    expect(validate(schema, { 'a-b': 2, 'x/y.z': 2, namespace: 'n' })).toHaveLength(1);
  });

  it('shows rules of the root its kind and name, and nothing else of metadata', () => {
    const validator = compileValidator(
      withRules({ type: 'object' }, "self.kind == 'Shelf' && self.metadata.name.startsWith('s')"),
      { vocabulary },
    );
    const shelf = (name: string) => ({ apiVersion: 'example.com/v1', kind: 'Shelf', metadata: { name } });
    expect(validator.validate(shelf('s1'))).toEqual([]);
    expect(validator.validate(shelf('t1'))[0]?.field).toBe('<nil>');
  });

  it('treats an int-or-string as either', () => {
    const schema = withRules({ intOrString: true }, "type(self) == int ? self > 0 : self.endsWith('%')");
    expect(validate(schema, 5)).toEqual([]);
    expect(validate(schema, '5%')).toEqual([]);
    expect(validate(schema, '5')).toEqual([
      `spec: Invalid value: "": failed rule: type(self) == int ? self > 0 : self.endsWith('%')`,
    ]);
  });

  it('has errors of its kind before those of embedded resources', () => {
    const own = [FieldErrors.invalid('.spec.c', 0, 'accessor error')];
    const embedded: Schema = { type: 'object', embeddedResource: true, preserveUnknownFields: true };
    const validator = validatorOf(objectOf({ c: { type: 'integer' }, d: embedded }));
    const value = { spec: { c: 'x', d: { kind: 'X' } } };
    const expected = ['spec.c', '.spec.c', 'spec.d.apiVersion'];
    expect(validator.validate(value, { own }).map(({ field }) => field)).toEqual(expected);
    expect(validator.validateUpdate(value, {}, { own }).map(({ field }) => field)).toEqual(expected);
  });

  it('sees embedded resources completely', () => {
    const embedded = withRules(
      { type: 'object', embeddedResource: true, preserveUnknownFields: true },
      "self.kind == 'Book' && has(self.metadata.name)",
    );
    const book = { apiVersion: 'v1', kind: 'Book', metadata: { name: 'b' } };
    expect(validate(embedded, book)).toEqual([]);
    expect(validate(embedded, { ...book, kind: 'Map' })).toHaveLength(1);
  });

  it('skips rules of absent and null values', () => {
    const schema = objectOf({ a: withRules({ type: 'string', nullable: true }, 'false') });
    expect(validate(schema, { a: null })).toEqual([]);
    expect(validate(schema, {})).toEqual([]);
  });

  it('is rejected with the reason if a rule cannot be compiled', () => {
    expect(validate(withRules({ type: 'string' }, 'self + 1'), 'a')[0]).toMatch(
      /^spec: Invalid value: "string": rule compile error: compilation failed: ERROR: <input>:1:6: /,
    );
  });
});

describe('messages', () => {
  const errorOf = (rule: Partial<ValidationRule>): string | undefined =>
    validate(withRules({ type: 'string' }, { rule: 'false', ...rule }), 'v')[0];

  it.each([
    [{ message: ' plain ' }, 'plain'],
    [{ messageExpression: "'made of ' + self", message: 'plain' }, 'made of v'],
    [{ messageExpression: "' '", message: 'plain' }, 'plain'],
    [{ messageExpression: "'a\\nb'" }, 'failed rule: false'],
    [{ messageExpression: "['a'][1]", message: 'plain' }, 'plain'],
    [{ messageExpression: `'${'x'.repeat(5121)}'`, message: 'plain' }, 'plain'],
  ])('%j: %s', (rule, text) => {
    expect(errorOf(rule)).toBe(`spec: Invalid value: "string": ${text}`);
  });
});

describe('the cost of rules', () => {
  const list = { type: 'array', items: { type: 'integer' } } as const;
  const numbers = Array.from({ length: 1200 }, (_, i) => i);

  it('is limited for each call', () => {
    const schema = withRules(list, 'self.all(x, self.all(y, x + y >= 0))', 'false');
    expect(validate(schema, numbers)).toEqual([
      `spec: Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: self.all(x, self.all(y, x + y >= 0))`,
    ]);
  });

  it('is limited for the entire object', () => {
    const leaf = withRules(list, 'self.all(x, self.all(y, x + y >= 0))');
    const schema = objectOf({ rows: { type: 'array', items: leaf } });
    const row = Array.from({ length: 250 }, (_, i) => i);
    const errors = validate(schema, { rows: Array.from({ length: 100 }, () => row) });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^spec\.rows\[\d+\]: Invalid value: "array": validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });
});

describe('an updated object', () => {
  it('may keep unchanged invalid values, with warnings for rules', () => {
    const broken = { min: 300, max: 200 };
    expect(update(RANGE, broken, broken)).toEqual({
      errors: [],
      warnings: [
        'spec: Invalid value: "object": min is above max',
        'spec.max: Invalid value: "integer": failed rule: self < 100',
      ],
    });
    expect(update(RANGE, { min: 301, max: 200 }, broken)).toEqual({
      errors: ['spec: Invalid value: "object": min is above max'],
      warnings: ['spec.max: Invalid value: "integer": failed rule: self < 100'],
    });
  });

  it('may not keep violations of transition rules and failing rules', () => {
    const schema = withRules({ type: 'integer' }, 'self > oldSelf', '1 / self > 0');
    expect(update(schema, 0, 0)).toEqual({
      errors: [
        'spec: Invalid value: "integer": failed rule: self > oldSelf',
        'spec: Invalid value: "integer": division by zero evaluating rule: 1 / self > 0',
      ],
      warnings: [],
    });
  });

  it('is compared item by item if keys identify them', () => {
    const item = objectOf({
      key: { type: 'string' },
      value: withRules({ type: 'integer' }, 'self >= oldSelf'),
    });
    const schema: Schema = { type: 'array', items: item, listType: 'map', listMapKeys: ['key'] };
    const old = [
      { key: 'a', value: 5 },
      { key: 'b', value: 5 },
    ];
    const now = [
      { key: 'b', value: 6 },
      { key: 'c', value: 0 },
      { key: 'a', value: 4 },
    ];
    expect(update(schema, now, old).errors).toEqual([
      'spec[2].value: Invalid value: "integer": failed rule: self >= oldSelf',
    ]);
  });

  it('keeps items of other lists only if the list is unchanged', () => {
    const schema: Schema = { type: 'array', items: withRules({ type: 'integer' }, 'self < 10') };
    const text = 'spec[0]: Invalid value: "integer": failed rule: self < 10';
    expect(update(schema, [10, 1], [10, 1])).toEqual({ errors: [], warnings: [text] });
    expect(update(schema, [10, 2], [10, 1])).toEqual({ errors: [text], warnings: [] });
  });

  it('runs rules with an optional old value also without one', () => {
    const schema = objectOf({
      a: withRules({ type: 'integer' }, { rule: 'self == oldSelf.orValue(1)', optionalOldSelf: true }),
    });
    expect(update(schema, { a: 2 }, {}).errors).toHaveLength(1);
    expect(update(schema, { a: 1 }, {}).errors).toEqual([]);
    expect(validate(schema, { a: 2 })).toHaveLength(1);
  });

  it('may not keep invalid values in a part of a combination', () => {
    const schema: Schema = {
      ...withRules({ type: 'integer' }, 'self < 100'),
      allOf: [withRules({}, 'self < 10')],
    };
    expect(update(schema, 50, 50).errors).toEqual([]);
    expect(update(objectOf({ a: schema }), { a: 50 }, { a: 50 }).errors).toEqual([]);
    expect(update(objectOf({ a: schema, b: { type: 'string' } }), { a: 50, b: '' }, { a: 50 })).toEqual({
      errors: ['spec.a: Invalid value: "integer": failed rule: self < 10'],
      warnings: [],
    });
  });
});

describe('an object with a new status', () => {
  const schema = objectOf({
    spec: { type: 'string', enum: ['a'] },
    status: withRules(objectOf({ ready: { type: 'integer', minimum: 0 } }), 'self.ready < 10'),
  });
  const validator = compileValidator(schema, { vocabulary });

  it('is validated by its schema in the status only', () => {
    const errors = validator.validateStatusUpdate({ spec: 'b', status: { ready: -1 } }, { spec: 'b' });
    expect(errors.map(fieldErrorText)).toEqual([
      'status.ready: Invalid value: -1: ready in body should be greater than or equal to 0',
    ]);
  });

  it('is rejected for unchanged errors, too', () => {
    const object = { status: { ready: 10 } };
    expect(validator.validateStatusUpdate(object, object).map(fieldErrorText)).toEqual([
      'status: Invalid value: "object": failed rule: self.ready < 10',
    ]);
    expect(validator.validateStatusUpdate({ spec: 'a' }, object)).toEqual([]);
  });
});

describe('rules of small objects', () => {
  const item: Schema = { type: 'string', maxLength: 10 };
  const words: Schema = { type: 'array', maxItems: 200, items: item };
  const dear = 'self.all(a, self.all(b, a.size() < 100 && b.size() < 100))';
  const value = Array.from({ length: 200 }, (_, i) => `w${i}`);

  function pausesOf(spec: Schema, of: JsonValue): number {
    const steps = validatorOf(spec).validateSteps({ spec: of });
    for (let pauses = 0; ; pauses++) {
      const { done, value: errors } = steps.next();
      if (done) {
        expect(errors).toEqual([]);
        return pauses;
      }
    }
  }

  it('pause where they cost much', () => {
    const rules = Array.from({ length: 8 }, () => dear);
    expect(pausesOf(withRules(words, ...rules), value)).toBeGreaterThanOrEqual(7);
    const apart = Array.from({ length: 8 }, (_, i) => [`f${i}`, withRules(words, dear)]);
    const each = Object.fromEntries(apart.map(([name]) => [name as string, value]));
    expect(pausesOf(objectOf(Object.fromEntries(apart)), each)).toBeGreaterThanOrEqual(7);
  });

  it('do not pause where they cost little', () => {
    expect(pausesOf(RANGE, { min: 1, max: 2 })).toBe(0);
    expect(pausesOf(withRules(words, dear), ['a', 'b'])).toBe(0);
  });
});
