import { orchVocabulary, type Schema } from '@ashlar/core';
import { expect, it } from 'vitest';
import { policy } from './policies.fixture.ts';
import type { ValidatingAdmissionPolicySpec } from './policy-objects.ts';
import { policyTypeWarnings } from './policy-type-warnings.ts';

const schema = (field: string): Schema => ({
  type: 'object',
  properties: {
    metadata: { type: 'object', properties: { name: { type: 'string' } } },
    [field]: { type: 'string' },
  },
});

const fieldsOf = (spec: Partial<ValidatingAdmissionPolicySpec>, resources = ['pages']) =>
  policyTypeWarnings(
    policy({
      matchConstraints: {
        resourceRules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources }],
      },
      ...spec,
    }),
    {
      vocabulary: orchVocabulary,
      ofResource: ({ group, version, resource }) =>
        resource === 'none'
          ? undefined
          : {
              group,
              version,
              kind: resource.replace(/^./, (first) => first.toUpperCase()),
              schema: schema(resource),
            },
      ofParams: ({ kind }) =>
        kind === 'Limit' ? { group: '', version: 'v1', kind: 'Limit', schema: schema('limit') } : undefined,
    },
  ).map(({ fieldRef, warning }) => `${fieldRef} ${warning.match(/^.*Kind=.*$/gm)?.join(' | ')}`);

const of = (expression: string, messageExpression = '') => ({
  validations: [{ expression, messageExpression }],
});

it('tells each kind for which an expression is wrong, in the order of their names', () => {
  expect(fieldsOf(of("object.pages == 'x'", 'object.books'), ['pages', 'books', 'none'])).toEqual([
    "spec.validations[0].expression /v1, Kind=Books: ERROR: <input>:1:7: undefined field 'pages'",
    "spec.validations[0].messageExpression /v1, Kind=Pages: ERROR: <input>:1:7: undefined field 'books'",
  ]);
});

it('checks kinds that are named in full only, ten of a rule', () => {
  expect(fieldsOf(of('object.none'), ['*', 'pages/status'])).toEqual([]);
  const many = Array.from({ length: 12 }, (_, i) => `kind${i}`);
  expect(fieldsOf(of('object.other'), many)[0]?.split(' | ')).toHaveLength(10);
});

it('checks parameters against their kind', () => {
  const paramKind = { apiVersion: 'v1', kind: 'Limit' };
  expect(fieldsOf({ paramKind, ...of("params.limit == 'x'") })).toEqual([]);
  expect(fieldsOf({ paramKind, ...of("params.page == 'x'") })[0]).toContain("undefined field 'page'");
});
