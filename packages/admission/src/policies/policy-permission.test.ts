import { type ApiObject, type AuthorizationAttributes, orchVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createAdmissionChain } from '../admission-chain.ts';
import { requestFor } from '../request.fixture.ts';
import { policy } from './policies.fixture.ts';
import { createPolicyPermission } from './policy-permission.ts';

const paramKind = { apiVersion: 'example.com/v1', kind: 'Limit' };
const withParameters = policy({ paramKind });
const binding = (paramRef: object): ApiObject => ({
  ...{ apiVersion: 'v1', kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'b' } },
  spec: { policyName: 'p', paramRef },
});

async function ask(plural: string, object: ApiObject, oldObject?: ApiObject, isAllowed = false) {
  const asked: AuthorizationAttributes[] = [];
  const plugin = createPolicyPermission({
    vocabulary: orchVocabulary,
    authorizer: {
      authorize(attributes) {
        asked.push(attributes);
        return { decision: isAllowed ? 'allow' : 'no-opinion' };
      },
    },
    parameters: ({ kind }) =>
      kind === 'Limit'
        ? { resource: 'limits', isNamespaced: true, get: () => undefined, list: () => [] }
        : undefined,
    policy: (plural, name) =>
      plural === 'validatingadmissionpolicies' && name === 'p' ? withParameters : undefined,
  });
  const resource = { group: 'admissionregistration.orch.io', version: 'v1', resource: plural };
  const kind = { group: resource.group, version: 'v1', kind: object.kind };
  const request = requestFor({
    ...{ resource, kind, object, oldObject, operation: oldObject ? 'UPDATE' : 'CREATE' },
  });
  const validation = Promise.resolve(createAdmissionChain([plugin]).validate(request));
  const error = await validation.catch((thrown: unknown) => thrown as Error);
  const questions = asked.map(
    ({ verb, apiGroup, resource: of, namespace, name }) => `${verb} ${of}.${apiGroup} ${namespace}/${name}`,
  );
  return { questions, message: error?.message };
}

it('is that of reading all objects of the kind, for a policy', async () => {
  expect(await ask('validatingadmissionpolicies', withParameters)).toEqual({
    questions: ['get limits.example.com */*'],
    message:
      'ValidatingAdmissionPolicy.admissionregistration.orch.io "a" is invalid: spec.paramKind: Forbidden: user alice must have "get" permission on all objects of the referenced paramKind (kind=Limit, apiVersion=example.com/v1)',
  });
  expect((await ask('validatingadmissionpolicies', withParameters, undefined, true)).message).toBeUndefined();
});

it.each([
  [{ name: 'l', namespace: 'n' }, 'get limits.example.com n/l'],
  [{ selector: {} }, 'list limits.example.com /'],
])('is that of reading what a binding names: %j', async (paramRef, question) => {
  const { questions, message } = await ask('validatingadmissionpolicybindings', binding(paramRef));
  expect(questions).toEqual([question]);
  expect(message).toMatch(/spec\.paramRef: Forbidden: user alice does not have "(get|list)" permission/);
});

it('is not asked for again when nothing changes', async () => {
  const unchanged = binding({ name: 'l' });
  expect((await ask('validatingadmissionpolicybindings', unchanged, unchanged)).questions).toEqual([]);
  expect((await ask('validatingadmissionpolicies', withParameters, withParameters)).questions).toEqual([]);
});
