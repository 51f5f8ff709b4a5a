import { kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { policy } from './policies.fixture.ts';
import type { ValidatingAdmissionPolicySpec } from './policy-objects.ts';
import { validatingBindingErrors } from './validate-binding.ts';
import { validatingPolicyErrors } from './validate-policy.ts';

const fields = (spec: Partial<ValidatingAdmissionPolicySpec>): readonly string[] =>
  validatingPolicyErrors(policy(spec), orchVocabulary).map(({ field, message }) => `${field}: ${message}`);

describe('the expressions of a policy', () => {
  it('are as many as a definition may have, and no more are compiled', () => {
    const validations = (count: number) => ({
      validations: Array.from({ length: count }, (_, i) => ({
        expression: `${i} >= 0`,
        messageExpression: `'m${i}'`,
      })),
    });
    expect(fields(validations(625))).toEqual([]);
    expect(fields(validations(626))).toEqual([
      'spec.validations: Too many: 1252: must have at most 1250 items',
    ]);
  });
});

// conformance/trace holds the recorded texts; here stands what is not recorded
describe('a policy', () => {
  it.each([
    [
      { validations: [{ expression: 'true' }], variables: [{ name: 'in', expression: '1' }] },
      'spec.variables[0].name: Invalid value: "in": name is not a valid CEL identifier',
    ],
    [
      { validations: [{ expression: 'true' }], variables: [{ name: ' ', expression: '' }] },
      'spec.variables[0].name: Required value: name is not specified',
    ],
    [
      { validations: [{ expression: 'true', messageExpression: ' ' }] },
      'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
    ],
    [
      { auditAnnotations: [{ key: 'a', valueExpression: ' ' }] },
      'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
    ],
    [
      { auditAnnotations: [{ key: 'a', valueExpression: `'${'x'.repeat(5 * 1024)}'` }] },
      'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
    ],
    [
      { paramKind: { apiVersion: 'a/', kind: 'X' }, validations: [{ expression: 'true' }] },
      'spec.paramKind.apiVersion: Invalid value: "a/": version must be specified',
    ],
  ])('%#', (spec, text) => {
    expect(fields(spec)).toContain(text);
  });

  it('may have twenty audit annotations', () => {
    const auditAnnotations = Array.from({ length: 21 }, (_, i) => ({ key: `k${i}`, valueExpression: "'x'" }));
    expect(fields({ auditAnnotations })[0]).toMatch(/must not have more than 20 auditAnnotations$/);
    expect(fields({ auditAnnotations: auditAnnotations.slice(1) })).toEqual([]);
  });

  it.each([orchVocabulary, kubernetesVocabulary])(
    'keeps expressions that the release before does not know',
    (vocabulary) => {
      const newer = policy({ validations: [{ expression: '[1, 2].all(i, v, i < v)' }] });
      const [error] = validatingPolicyErrors(newer, vocabulary);
      expect(error?.message).toContain('compilation failed');
      expect(validatingPolicyErrors(newer, vocabulary, newer)).toEqual([]);
    },
  );
});

describe('a binding', () => {
  it('needs the selectors that defaults fill', () => {
    const errors = validatingBindingErrors({
      ...{ apiVersion: 'v1', kind: 'X', metadata: { name: 'b' } },
      spec: {
        policyName: 'p',
        validationActions: ['Deny'],
        matchResources: { matchPolicy: 'Exact', resourceRules: [{ resourceNames: ['a', 'a', 'b/c'] }] },
      },
    });
    expect(errors.map(({ field }) => field).slice(0, 4)).toEqual([
      'spec.matchResources.namespaceSelector',
      'spec.matchResources.labelSelector',
      'spec.matchResources.resourceRules[0].resourceNames[1]',
      'spec.matchResources.resourceRules[0].resourceNames[2]',
    ]);
  });
});
