import { type ApiObject, doneSteps, orchVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createAdmissionChain } from '../admission-chain.ts';
import { requestFor } from '../request.fixture.ts';
import type { MutationEvaluation } from './mutating-policies.ts';
import { createMutatingTrial, type MutatingTrial } from './mutating-trial.ts';
import { all, page } from './policies.fixture.ts';

const apiVersion = 'admissionregistration.orch.io/v1alpha1';
const policy = (expression: string, failurePolicy = 'Fail'): ApiObject[] => [
  {
    ...{ apiVersion, kind: 'MutatingAdmissionPolicy', metadata: { name: 'p' } },
    spec: {
      ...{ failurePolicy, reinvocationPolicy: 'Never', matchConstraints: { resourceRules: [all] } },
      mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }],
    },
  } as ApiObject,
  {
    ...{ apiVersion, kind: 'MutatingAdmissionPolicyBinding', metadata: { name: 'b' } },
    spec: { policyName: 'p' },
  } as ApiObject,
];
const versions = {
  ...{ others: [], isCustom: true, convert: (object: ApiObject) => object, decodeSteps: doneSteps },
  mergeSteps: doneSteps,
};

async function tried(trial: Omit<MutatingTrial, 'observe'>, dryRun = true) {
  const evaluations: MutationEvaluation[] = [];
  const observe = (each: MutationEvaluation): void => void evaluations.push(each);
  const chain = createAdmissionChain([createMutatingTrial({ ...trial, observe })]);
  const request = { ...requestFor({ object: page(), versions }), dryRun };
  const result = await Promise.resolve(chain.mutate(request)).catch((error: Error) => error);
  return { result: result as ApiObject & { readonly text: string }, evaluations };
}

const WRITER =
  '[JSONPatch{op: "replace", path: "/text", value: request.userInfo.username + string(request.dryRun)}]';

it('changes dry runs as if they were none, by default of the administrator', async () => {
  const { result, evaluations } = await tried({ policies: policy(WRITER), vocabulary: orchVocabulary });
  expect(result.text).toBe('system:adminfalse');
  expect(evaluations).toEqual([
    {
      ...{ policy: 'p', binding: 'b', params: undefined, ignoresErrors: false },
      ...{ before: page(), after: result, costs: [expect.any(Number)] },
    },
  ]);
  const anna = await tried({ policies: policy(WRITER), user: { name: 'anna', groups: [] } });
  expect(anna.result.text).toBe('annafalse');
});

it('leaves other writes alone', async () => {
  const { result, evaluations } = await tried({ policies: policy(WRITER) }, false);
  expect([result, evaluations]).toEqual([page(), []]);
});

it('tells what failed, with the values of expressions', async () => {
  const policies = policy('[JSONPatch{op: "replace", path: "/none/there", value: 1}]', 'Ignore');
  const { result, evaluations } = await tried({ policies, explain: true });
  expect(result).toEqual(page());
  expect(evaluations).toMatchObject([
    {
      failure: expect.stringMatching(/^JSON Patch: /),
      ignoresErrors: true,
      expressions: [{ value: [{ op: 'replace', path: '/none/there', value: 1 }] }],
    },
  ]);
});

it('takes mutating policies only', () => {
  const validating = { apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' } };
  expect(() => createMutatingTrial({ policies: [validating] })).toThrow(
    'only objects of kind MutatingAdmissionPolicy or MutatingAdmissionPolicyBinding in',
  );
});
