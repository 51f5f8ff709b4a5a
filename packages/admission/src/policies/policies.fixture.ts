import { type ApiObject, orchVocabulary, type Vocabulary } from '@ashlar/core';
import { type AdmissionChain, createAdmissionChain } from '../admission-chain.ts';
import type { AdmissionRule } from '../admission-rule.ts';
import type {
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from './policy-objects.ts';
import { ValidatingPolicies } from './policy-source.ts';
import { createValidatingPolicies, type PolicyEnvironment } from './validating-policies.ts';

export const all: AdmissionRule = {
  operations: ['*'],
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: ['*'],
};

/** A policy for every resource, with fields of the test. */
export const policy = (
  spec: Partial<ValidatingAdmissionPolicySpec>,
  name: string = 'p',
): ValidatingAdmissionPolicy => ({
  ...{
    apiVersion: 'admissionregistration.orch.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name },
  },
  spec: {
    failurePolicy: 'Fail',
    matchConstraints: {
      resourceRules: [all],
      namespaceSelector: {},
      objectSelector: {},
      matchPolicy: 'Equivalent',
    },
    ...spec,
  },
});

export const page = (more: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Page', metadata: { name: 'a' }, text: 'x', ...more }) as unknown as ApiObject;

/** Surroundings of policies with one binding each, named after them. */
export function policiesOf(
  policies: readonly ValidatingAdmissionPolicy[],
  binding: Partial<ValidatingAdmissionPolicyBindingSpec> = {},
  environment: Partial<PolicyEnvironment> = {},
): { readonly chain: AdmissionChain; readonly source: ValidatingPolicies } {
  const vocabulary: Vocabulary = orchVocabulary;
  const source = new ValidatingPolicies(vocabulary);
  for (const each of policies) {
    const name = each.metadata.name ?? '';
    source.setPolicy(each);
    source.setBinding({
      ...{ apiVersion: 'v1', kind: 'X', metadata: { name: `b-${name}` } },
      spec: { policyName: name, validationActions: ['Deny'], ...binding },
    });
  }
  const plugin = createValidatingPolicies({
    ambient: {},
    vocabulary,
    authorizer: { authorize: () => ({ decision: 'no-opinion' }) },
    namespace: (name) => ({
      ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name, uid: 'u', labels: { team: 'x' } } },
      status: { phase: 'Active' },
    }),
    source: { current: (request) => source.of(request.resource) },
    parameters: () => undefined,
    ...environment,
  });
  return { chain: createAdmissionChain([plugin]), source };
}
