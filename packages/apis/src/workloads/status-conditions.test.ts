import { type ApiObject, fieldErrorText, kubernetesVocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { validatingAdmissionPolicies } from './admissionregistration/admission-policies.ts';
import { podDisruptionBudgets } from './policy/pod-disruption-budgets.ts';
import { statusConditionErrors } from './status-conditions.ts';

const good = { type: 'Ready', status: 'True', reason: 'Fine', lastTransitionTime: '2026-01-01T00:00:00Z' };
const textsOf = (...conditions: readonly object[]): readonly string[] =>
  statusConditionErrors(conditions).map(fieldErrorText);

describe('conditions of a status', () => {
  it('may be absent, and are complete otherwise', () => {
    expect(statusConditionErrors(undefined)).toEqual([]);
    expect(textsOf(good)).toEqual([]);
    expect(textsOf({})).toEqual([
      expect.stringMatching(/^status\.conditions\[0\]\.type: Invalid value: "": name part must be non-empty/),
      expect.stringMatching(/^status\.conditions\[0\]\.type: Invalid value: "": name part must consist of/),
      'status.conditions[0].status: Unsupported value: "": supported values: "False", "True", "Unknown"',
      'status.conditions[0].lastTransitionTime: Required value: must be set',
      'status.conditions[0].reason: Required value: must be set',
    ]);
  });

  it('have types of their own', () => {
    expect(textsOf(good, good)).toEqual(['status.conditions[1].type: Duplicate value: "Ready"']);
  });

  it('have reasons and messages within limits, and no negative generation', () => {
    expect(textsOf({ ...good, reason: 'a b' })).toEqual([
      expect.stringMatching(
        /^status\.conditions\[0\]\.reason: Invalid value: "a b": a condition reason must/,
      ),
    ]);
    expect(textsOf({ ...good, reason: 'a'.repeat(1025) })).toEqual([
      'status.conditions[0].reason: Too long: may not be more than 1024 bytes',
    ]);
    expect(textsOf({ ...good, message: 'é'.repeat(16_385), observedGeneration: -1 })).toEqual([
      'status.conditions[0].observedGeneration: Invalid value: -1: must be greater than or equal to zero',
      'status.conditions[0].message: Too long: may not be more than 32768 bytes',
    ]);
  });
});

describe('the status', () => {
  const errorsOf = (definition: ResourceDefinition, status: object): readonly string[] => {
    const object = { apiVersion: 'v1', kind: 'K', metadata: { name: 'a' }, status } as unknown as ApiObject;
    const subresource = definition.versions[0]?.subresources?.find(({ name }) => name === 'status');
    return (subresource?.validateUpdate?.(object, object) ?? []).map(fieldErrorText);
  };

  it('of a disruption budget has valid conditions and counts', () => {
    const status = { conditions: [{ ...good, status: 'Maybe' }], currentHealthy: -1 };
    expect(errorsOf(podDisruptionBudgets(kubernetesVocabulary), status)).toEqual([
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
      'status.currentHealthy: Invalid value: -1: must be greater than or equal to 0',
    ]);
  });

  it('of a policy names expressions by paths', () => {
    const expressionWarnings = [
      { fieldRef: 'spec.validations[0].expression', warning: 'w' },
      { fieldRef: ' ' },
      { fieldRef: 'a[', warning: 'w' },
    ];
    const at = 'status.typeChecking.expressionWarnings';
    const status = { typeChecking: { expressionWarnings }, conditions: [{ ...good, status: 'Maybe' }] };
    expect(errorsOf(validatingAdmissionPolicies(kubernetesVocabulary), status)).toEqual([
      `${at}[1].warning: Required value`,
      `${at}[1].fieldRef: Required value`,
      expect.stringMatching(/expressionWarnings\[2\]\.fieldRef: Invalid value: "a\[": invalid JSONPath: /),
      'status.conditions[0].status: Unsupported value: "Maybe": supported values: "False", "True", "Unknown"',
    ]);
  });
});
