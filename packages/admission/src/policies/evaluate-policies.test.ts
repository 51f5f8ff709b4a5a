import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { expect, it } from 'vitest';
import { evaluatePolicies, type PolicyTrial } from './evaluate-policies.ts';

const group = 'admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['pods'] };
const policy = (spec: object): ApiObject => ({
  ...{ apiVersion: group, kind: 'ValidatingAdmissionPolicy', metadata: { name: 'tags' } },
  spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
});
const binding = (spec: object = {}): ApiObject => ({
  ...{ apiVersion: group, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name: 'everywhere' } },
  spec: { policyName: 'tags', validationActions: ['Deny', 'Audit'], ...spec },
});
const pod = (image: string): ApiObject =>
  ({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'shop' } },
    spec: { containers: [{ name: 'c', image }] },
  }) as ApiObject;
const tagged = {
  expression: "object.spec.containers.all(c, c.image.contains(':'))",
  message: 'images need a tag',
};
const evaluate = (trial: PolicyTrial) => evaluatePolicies({ vocabulary: kubernetesVocabulary, ...trial });

it('gives the response of a server, and what each expression cost', async () => {
  const policies = [policy({ validations: [{ expression: 'true' }, tagged] }), binding()];
  const verdict = await evaluate({ policies, object: pod('nginx') });
  expect(verdict.denial).toMatchObject({
    code: 422,
    message: `pods "p" is forbidden: ValidatingAdmissionPolicy 'tags' with binding 'everywhere' denied request: images need a tag`,
  });
  expect(verdict.evaluations).toEqual([
    {
      ...{ policy: 'tags', binding: 'everywhere', actions: ['Deny', 'Audit'] },
      failures: [{ message: 'images need a tag', reason: 'Invalid', expressionIndex: 1 }],
      ...{ auditAnnotations: [], annotationErrors: [] },
      costs: [0, expect.any(Number)],
    },
  ]);
  expect(Object.keys(verdict.auditAnnotations)).toEqual([
    'validation.policy.admission.k8s.io/validation_failure',
  ]);
  expect((await evaluate({ policies, object: pod('nginx:1') })).denial).toBeUndefined();
});

it('knows updates, deletions, users and namespaces', async () => {
  const expression =
    "request.operation + ' by ' + request.userInfo.username + ' in ' + namespaceObject.metadata.labels['team']";
  const policies = [
    policy({ validations: [{ expression: 'false', messageExpression: expression }] }),
    binding({ matchResources: { namespaceSelector: { matchLabels: { team: 'x' } } } }),
  ];
  const namespaces = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'x' } } },
  ];
  const messageOf = async (trial: Omit<PolicyTrial, 'policies'>) =>
    (await evaluate({ policies, namespaces, ...trial })).denial?.message.replace(/^.*request: /, '');
  const user = { name: 'ann', groups: [] };
  expect(await messageOf({ object: pod('a'), oldObject: pod('b'), user })).toBe('UPDATE by ann in x');
  expect(await messageOf({ oldObject: pod('b') })).toBe('DELETE by system:admin in x');
  expect(await messageOf({ object: pod('a'), namespaces: [] })).toBeUndefined();
});

it('takes parameters from what it is given', async () => {
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  const expression = 'object.spec.containers.size() <= int(params.data.most)';
  const policies = [
    policy({ paramKind, validations: [{ expression }] }),
    binding({ paramRef: { name: 'most', parameterNotFoundAction: 'Deny' } }),
  ];
  const most = (text: string): ApiObject =>
    ({
      ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'most', namespace: 'shop' } },
      data: { most: text },
    }) as ApiObject;
  const params = (text: string) => evaluate({ policies, object: pod('a'), params: [most(text)] });
  expect((await params('1')).denial).toBeUndefined();
  expect((await params('0')).evaluations[0]).toMatchObject({ params: 'most', failures: [{}] });
  expect((await evaluate({ policies, object: pod('a') })).denial?.message).toContain(
    'failed to find resource referenced by paramKind',
  );
});

it('knows kinds of parameters of which there are none, if it is told', async () => {
  const policies = [
    policy({ paramKind: { apiVersion: 'v1', kind: 'Limit' }, validations: [{ expression: 'false' }] }),
    binding({ paramRef: { name: 'most', parameterNotFoundAction: 'Allow' } }),
  ];
  const findParamKind = (apiVersion: string, kind: string) =>
    apiVersion === 'v1' && kind === 'Limit' ? { resource: 'limits', isNamespaced: true } : undefined;
  const { denial, evaluations } = await evaluate({ policies, object: pod('a'), findParamKind });
  expect([denial, evaluations]).toEqual([undefined, []]);
});

it('refuses what no server would store, and what it cannot evaluate', async () => {
  const broken = policy({ validations: [{ expression: 'none' }] });
  await expect(evaluate({ policies: [broken], object: pod('a') })).rejects.toThrow(
    /^ValidatingAdmissionPolicy "tags" is invalid: spec\.validations\[0\]\.expression: Invalid value/,
  );
  const mutating = { ...binding(), kind: 'MutatingAdmissionPolicy' };
  await expect(evaluate({ policies: [mutating], object: pod('a') })).rejects.toThrow(
    'only objects of kind ValidatingAdmissionPolicy or ValidatingAdmissionPolicyBinding in',
  );
});

it.each([kubernetesVocabulary, orchVocabulary])(
  'explains the value of each expression in the order of evaluation, in the words of $name',
  async (vocabulary) => {
    const translated = (object: ApiObject): ApiObject => ({
      ...object,
      apiVersion: `${groupName(vocabulary, 'admissionregistration.')}/v1`,
    });
    const policies = [
      policy({
        matchConditions: [{ name: 'pods', expression: "request.kind.kind == 'Pod'" }],
        variables: [
          { name: 'unread', expression: '1 / 0' },
          { name: 'containers', expression: 'object.spec.containers' },
          { name: 'count', expression: 'variables.containers.size()' },
          { name: 'wrong', expression: 'object.spec.none' },
        ],
        validations: [
          {
            expression: 'variables.count > 1',
            messageExpression: "string(variables.count) + ' is not enough'",
          },
          { expression: 'variables.wrong == 2' },
        ],
        auditAnnotations: [{ key: 'count', valueExpression: 'string(variables.count)' }],
      }),
      binding(),
    ].map(translated);
    const trial = { policies, object: pod('nginx'), vocabulary };
    const [evaluation] = (await evaluatePolicies({ ...trial, explain: true })).evaluations;
    const found = evaluation?.expressions ?? [];
    const [condition, containers, count, first, wrong, second, message, annotation] = found;
    const cost = expect.any(Number);
    const text = "request.kind.kind == 'Pod'";
    expect(condition).toEqual({
      field: 'spec.matchConditions[0].expression',
      expression: text,
      value: true,
      cost,
    });
    expect(containers).toMatchObject({ field: 'spec.variables[1].expression', name: 'containers' });
    expect(containers?.value).toEqual([{ name: 'c', image: 'nginx' }]);
    expect(count).toMatchObject({ field: 'spec.variables[2].expression', name: 'count', value: 1 });
    expect(first).toMatchObject({ field: 'spec.validations[0].expression', value: false });
    expect(wrong).toMatchObject({ name: 'wrong', error: expect.stringContaining('no such key: none') });
    expect(second).toMatchObject({ field: 'spec.validations[1].expression', error: expect.any(String) });
    expect(message).toMatchObject({
      field: 'spec.validations[0].messageExpression',
      value: '1 is not enough',
    });
    expect(annotation).toMatchObject({ field: 'spec.auditAnnotations[0].valueExpression', value: '1' });
    expect(found).toHaveLength(8);
    const { expressions: _, ...rest } = evaluation ?? {};
    expect((await evaluatePolicies(trial)).evaluations).toEqual([rest]);
  },
);

it('explains conditions that exclude a request', async () => {
  const matchConditions = [{ name: 'never', expression: '1 > 2' }];
  const policies = [policy({ matchConditions, validations: [{ expression: 'false' }] }), binding()];
  const { denial, evaluations } = await evaluate({ policies, object: pod('a'), explain: true });
  expect(denial).toBeUndefined();
  expect(evaluations[0]?.expressions).toMatchObject([{ expression: '1 > 2', value: false }]);
});
