import { fieldErrorText, type JsonValue, type Schema, orchVocabulary as vocabulary } from '@ashlar/core';
import { compileStructural, fromOpenApi, toOpenApi } from '@ashlar/schema';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkDefinitionSchema } from './check-definition-schema.ts';
import { compileValidator } from './compile-validator.ts';

const RULES = [
  'self == self',
  'self == oldSelf',
  'self.size() < 3',
  'self.all(x, x == x)',
  "self != 'a'",
  'self > 0',
  'has(self.a)',
  'self.a == self.b',
  'self.exists(x, x > 1)',
  'self +',
];
const rule = fc.record(
  { rule: fc.constantFrom(...RULES), message: fc.constant('broken'), optionalOldSelf: fc.boolean() },
  { requiredKeys: ['rule'] },
);
const rules = fc.oneof(
  { weight: 2, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.array(rule, { minLength: 1, maxLength: 2 }).map((validations) => ({ validations })),
  },
);
const ruled = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc.tuple(schema, rules).map(([own, more]) => ({ ...own, ...more }));

const leaf = ruled(
  fc.constantFrom<Schema>(
    { type: 'string', maxLength: 3, default: 'a' },
    { type: 'string', nullable: true },
    { type: 'integer', minimum: 0, default: 1 },
    { type: 'boolean' },
    { intOrString: true },
  ),
);
const name = fc.constantFrom('a', 'b', 'c-d');
const members = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.dictionary(name, value, { maxKeys: 3, noNullPrototype: true });

const schemas = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    ruled(members(tie('schema')).map((properties): Schema => ({ type: 'object', properties }))),
    ruled(tie('schema').map((values): Schema => ({ type: 'object', additionalProperties: values }))),
    ruled(
      fc
        .tuple(tie('schema'), fc.constantFrom('atomic' as const, 'set' as const))
        .map(([items, listType]): Schema => ({ type: 'array', items, listType })),
    ),
    ruled(
      members(tie('schema')).map((properties): Schema => {
        const items: Schema = {
          type: 'object',
          properties: { ...properties, a: { type: 'string' } },
          required: ['a'],
        };
        return { type: 'array', listType: 'map', listMapKeys: ['a'], items };
      }),
    ),
  ),
})).schema;

const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<JsonValue>(null, true, 'a', 'abcd', 0, 1, 7),
    fc.array(tie('value'), { maxLength: 3 }),
    members(tie('value')),
  ),
})).value;

const compile = (spec: Schema) => {
  const schema: Schema = { type: 'object', properties: { spec } };
  const structure = compileStructural(schema);
  const ready = (value: JsonValue): JsonValue =>
    structure.applyDefaults(structure.prune({ spec: value }, () => {}));
  return { ready, structure, validator: compileValidator(schema, { vocabulary, structure }) };
};
const texts = (errors: readonly Parameters<typeof fieldErrorText>[0][]): string[] =>
  errors.map(fieldErrorText);

describe('any schema and objects', () => {
  it('the result is deterministic, and defaulting is idempotent', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const { ready, structure, validator } = compile(schema);
        const object = ready(value);
        expect(structure.applyDefaults(object)).toEqual(object);
        expect(texts(validator.validate(object))).toEqual(texts(validator.validate(object)));
      }),
      { numRuns: 150 },
    );
  });

  it('an update without changes reports no more than a create, except transition rules', () => {
    fc.assert(
      fc.property(schemas, values, values, (schema, value, oldValue) => {
        const { ready, validator } = compile(withoutTransitions(schema));
        const object = ready(value);
        const known = new Set(texts(validator.validate(object)));
        for (const old of [object, ready(oldValue)]) {
          const found = texts(validator.validateUpdate(object, old));
          expect(found.filter((text) => !known.has(text) && !isLaterRule(known))).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('the check of a definition returns errors and never throws', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const document = toOpenApi({ type: 'object', properties: { spec: schema } }, { vocabulary });
        const errors = checkDefinitionSchema(document, { vocabulary, path: 'schema' });
        for (const error of errors) expect(fieldErrorText(error)).toMatch(/^schema/);
        // Stored expressions are accepted if new ones are.
        const stored = { storedSchemas: [document], storedSchema: document };
        const again = checkDefinitionSchema(document, { vocabulary, path: 'schema', ...stored });
        expect(again.length).toBeLessThanOrEqual(errors.length);
        expect(fromOpenApi(document, { vocabulary }).properties?.spec).toEqual(schema);
      }),
      { numRuns: 60 },
    );
  });
});

/** Whether rules were skipped at first: removing the cause can bring their errors to light. */
const isLaterRule = (known: ReadonlySet<string>): boolean =>
  [...known].some((text) => text.includes('some validation rules were not checked'));

function withoutTransitions(schema: Schema): Schema {
  return JSON.parse(
    JSON.stringify(schema)
      .replaceAll('self == oldSelf', 'self == self')
      .replaceAll('"optionalOldSelf":true', '"optionalOldSelf":false'),
  ) as Schema;
}
