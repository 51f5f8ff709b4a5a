import { kubernetesVocabulary, orchVocabulary, type Schema } from '@ashlar/core';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromOpenApi } from './from-openapi.ts';
import { toOpenApi } from './to-openapi.ts';

const options = { vocabulary: orchVocabulary };

describe('OpenAPI', () => {
  it('has extensions under the prefix of the vocabulary', () => {
    const schema: Schema = {
      type: 'array',
      items: {
        type: 'object',
        preserveUnknownFields: true,
        validations: [{ rule: 'true', optionalOldSelf: true }],
      },
      listType: 'map',
      listMapKeys: ['a'],
    };
    expect(toOpenApi(schema, options)).toEqual({
      type: 'array',
      items: {
        type: 'object',
        'x-orch-preserve-unknown-fields': true,
        'x-orch-validations': [{ rule: 'true', optionalOldSelf: true }],
      },
      'x-orch-list-type': 'map',
      'x-orch-list-map-keys': ['a'],
    });
    const other = toOpenApi({ intOrString: true }, { vocabulary: kubernetesVocabulary });
    expect(fromOpenApi(other, { vocabulary: kubernetesVocabulary })).toEqual({ intOrString: true });
    expect(() => fromOpenApi(other, options)).toThrow(/the keyword ".*-int-or-string" is not supported/);
  });
  it('rejects unknown keywords, or reports them', () => {
    const document = { type: 'object', properties: { a: { $ref: '#/x', items: { example: 1 } } } };
    expect(() => fromOpenApi(document, options)).toThrow('schema of a: the keyword "$ref" is not supported');
    const unknown: unknown[] = [];
    fromOpenApi(document, { ...options, report: (each) => unknown.push(each) });
    expect(unknown).toEqual([
      { path: 'a', keyword: '$ref' },
      { path: 'a[]', keyword: 'example' },
    ]);
  });
  it.each([
    [{ maxLength: '1' }, 'schema of the root: maxLength must be a number'],
    [{ items: [{}] }, 'schema of the root: items must be a schema'],
    [{ properties: { a: { required: 'b' } } }, 'schema of a: required must be a list of strings'],
    [{ 'x-orch-validations': [{ message: 'no rule' }] }, 'x-orch-validations must be a list of rules'],
  ])('rejects %j', (document, text) => {
    expect(() => fromOpenApi(document, options)).toThrow(text);
  });

  const leaf = fc.record<Schema>(
    {
      type: fc.constantFrom('object' as const, 'string' as const),
      format: fc.string(),
      nullable: fc.boolean(),
      default: fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<NonNullable<Schema['default']>>,
      enum: fc.array(fc.string()),
      minimum: fc.integer(),
      embeddedResource: fc.boolean(),
      mapType: fc.constantFrom('atomic' as const, 'granular' as const),
      patchStrategy: fc.constant('merge'),
    },
    { requiredKeys: [] },
  );
  const { schema } = fc.letrec<{ schema: Schema }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      leaf,
      fc.record({ properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 3 }) }),
      fc.record({ additionalProperties: fc.oneof(fc.boolean(), tie('schema')) }),
      fc.record({
        items: tie('schema'),
        anyOf: fc.array(tie('schema'), { maxLength: 2 }),
        not: tie('schema'),
      }),
    ),
  }));
  it('round-trips', () => {
    fc.assert(
      fc.property(schema, (given) => {
        const document = toOpenApi(given, options);
        expect(fromOpenApi(document, options)).toEqual(given);
        expect(toOpenApi(fromOpenApi(document, options), options)).toEqual(document);
      }),
    );
  });
});
