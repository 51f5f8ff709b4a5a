import { type ApiObject, doneSteps, type LabelSelector, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { AdmissionRequest } from '../admission-request.ts';
import { requestFor } from '../request.fixture.ts';
import { all, page, policiesOf, policy } from './policies.fixture.ts';
import type {
  ValidatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicyBindingSpec,
  ValidatingAdmissionPolicySpec,
} from './policy-objects.ts';
import type { ParameterObjects } from './policy-parameters.ts';
import type { PolicyEnvironment } from './validating-policies.ts';

/** The message of the denial, without those who deny it; undefined if the request is admitted. */
async function denied(
  spec: Partial<ValidatingAdmissionPolicySpec>,
  request: Partial<AdmissionRequest> = {},
  binding: Partial<ValidatingAdmissionPolicyBindingSpec> = {},
  environment: Partial<PolicyEnvironment> = {},
): Promise<string | undefined> {
  const { chain } = policiesOf([policy(spec)], binding, environment);
  try {
    await chain.validate(requestFor({ object: page(), ...request }));
    return undefined;
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    return error.message.replace(/^.* denied request: /, '');
  }
}

/** About 800,000 cost units for 400 items. */
const DEAR = 'object.items.all(a, object.items.all(b, a + b >= 0))';

const validation = (expression: string, more: object = {}) => ({
  validations: [{ expression, ...more }],
});

describe('a validating policy', () => {
  it('evaluates variables once and only when they are read', async () => {
    const asked: string[] = [];
    const authorizer: PolicyEnvironment['authorizer'] = {
      authorize({ path }) {
        asked.push(path);
        return Promise.resolve({ decision: 'allow' });
      },
    };
    const variables = [
      { name: 'unused', expression: "authorizer.path('/unused').check('get').allowed()" },
      { name: 'used', expression: "authorizer.path('/used').check('get').allowed()" },
      { name: 'both', expression: 'variables.used && variables.used' },
    ];
    const validations = [{ expression: 'variables.both' }, { expression: 'variables.both && false' }];
    const message = await denied({ variables, validations }, {}, {}, { authorizer });
    expect(message).toBe('failed expression: variables.both && false');
    expect(asked).toEqual(['/used']);
  });

  it('names the variable that fails', async () => {
    const variables = [{ name: 'n', expression: 'object.none' }];
    expect(await denied({ variables, ...validation('variables.n > 1') })).toBe(
      `expression 'variables.n > 1' resulted in error: composited variable "n" fails to evaluate: no such key: none`,
    );
  });

  it('says that a variable reads itself', async () => {
    const variables = [
      { name: 'n', expression: '1' },
      { name: 'n', expression: 'variables.n + 1' },
    ];
    expect(await denied({ variables, ...validation('variables.n > 1') })).toContain(
      'composited variable "n" reads itself',
    );
  });

  it.each([
    ["'two\\nlines'", 'plain'],
    ["'  spaces  '", 'spaces'],
    ["object.none + 'x'", 'plain'],
    [`'${'x'.repeat(5121)}'`, 'plain'],
  ])('shows the message where the message expression is %s', async (messageExpression, text) => {
    expect(await denied(validation('false', { message: 'plain', messageExpression }))).toBe(text);
  });

  it('reads the namespace of the request', async () => {
    const expression =
      "namespaceObject.metadata.name == 'x' && namespaceObject.metadata.labels.team == 'x' && namespaceObject.metadata.UID == 'u'";
    expect(await denied(validation(expression))).toBeUndefined();
    expect(await denied(validation('namespaceObject == null'), { namespace: '' })).toBeUndefined();
  });

  it('asks the authorizer for the resource of the request', async () => {
    const expression = "authorizer.requestResource.check('delete').allowed()";
    const authorizer: PolicyEnvironment['authorizer'] = {
      authorize: ({ resource, name, verb }) => ({
        decision: `${verb} ${resource}/${name}` === 'delete pages/a' ? 'allow' : 'no-opinion',
      }),
    };
    expect(await denied(validation(expression), {}, {}, { authorizer })).toBeUndefined();
    expect(await denied(validation(expression), { name: 'b' }, {}, { authorizer })).toContain('failed');
  });

  it.each([
    ['Fail', "expression 'object.none' resulted in error: no such key: none"],
    ['Ignore', undefined],
  ])('of failure policy %s answers errors of conditions', async (failurePolicy, text) => {
    const matchConditions = [{ name: 'c', expression: "object.none == 'x'" }];
    const message = await denied({ failurePolicy, matchConditions, ...validation('false') });
    expect(message).toBe(text?.replace("'object.none'", `'object.none == 'x''`));
  });

  it('runs within the budget of each expression and of the policy', async () => {
    const items = Array.from({ length: 2000 }, (_, i) => i);
    const dear = 'object.items.all(a, object.items.all(b, a + b >= 0))';
    expect(await denied(validation(dear), { object: page({ items }) })).toBe(
      `expression '${dear}' resulted in error: operation cancelled: actual cost limit exceeded`,
    );
    const many = { validations: Array.from({ length: 20 }, () => ({ expression: dear })) };
    const text =
      'validation failed due to running out of cost budget, no further validation rules will be run';
    expect(await denied(many, { object: page({ items }) })).toBe(text);
    expect(await denied({ ...many, failurePolicy: 'Ignore' }, { object: page({ items }) })).toBeUndefined();
  });

  it('ends when it has worked for long, however little that costs', async () => {
    const items = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
    const validations = Array.from({ length: 200 }, () => ({ expression: 'object == object' }));
    expect(await denied({ validations }, { object: page({ items }) })).toBe(
      'validation failed due to running out of cost budget, no further validation rules will be run',
    );
  });

  it('lets others in while it evaluates what is dear', async () => {
    const items = Array.from({ length: 500 }, (_, i) => i);
    const dear = 'object.items.all(a, object.items.all(b, a + b >= 0))';
    let pauses = 0;
    const validations = Array.from({ length: 6 }, () => ({ expression: dear }));
    const { chain } = policiesOf(
      [policy({ validations, failurePolicy: 'Ignore' })],
      {},
      {
        ambient: {
          turns: { requestBegan() {}, pause: async () => void pauses++ } as never,
        },
      },
    );
    await chain.validate(requestFor({ object: page({ items }) }));
    expect(pauses).toBe(6);
  });

  it('lets others in between several, each with one binding', async () => {
    let pauses = 0;
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
    const policies = ['a', 'b', 'c', 'd', 'e'].map((name) => policy(validation('true'), name));
    const { chain } = policiesOf(policies, {}, { ambient: { turns } });
    await chain.validate(requestFor({ object: page({}) }));
    expect(pauses).toBe(4);
  });

  it.each([
    ['beside one another', (i: number) => `${DEAR} || ${i} > 0`],
    ['each in the one before it', (i: number) => (i === 0 ? DEAR : `${DEAR} && variables.v${i - 1}`)],
  ])('bounds what variables cost %s', async (_, expressionOf) => {
    const variables = Array.from({ length: 200 }, (_unused, i) => ({
      name: `v${i}`,
      expression: expressionOf(i),
    }));
    const expression = variables
      .map(({ name }) => `variables.${name}`)
      .reverse()
      .join(' && ');
    let pauses = 0;
    const ambient = { turns: { requestBegan() {}, pause: async () => void pauses++ } as never };
    const items = Array.from({ length: 400 }, (_unused, i) => i);
    const message = await denied(
      { variables, ...validation(expression) },
      { object: page({ items }) },
      {},
      { ambient },
    );
    expect(message).toMatch(/cost budget|cost limit exceeded/);
    expect(pauses).toBeLessThan(12);
  });

  it('is not asked about configurations and reviews', async () => {
    const { chain } = policiesOf([policy(validation('false'))]);
    for (const [group, resource] of [
      ['admissionregistration.orch.io', 'validatingadmissionpolicies'],
      ['authorization.orch.io', 'subjectaccessreviews'],
    ] as const)
      await chain.validate(requestFor({ object: page(), resource: { group, version: 'v1', resource } }));
  });

  it('sees the object in the version that a rule names', async () => {
    const rule = { ...all, apiVersions: ['v2'] };
    const matchConstraints = { resourceRules: [rule], matchPolicy: 'Equivalent' };
    const versions = {
      others: ['v2'],
      isCustom: true,
      convert: (object: ApiObject, _: string, to: string) => ({ ...object, apiVersion: to }),
      decodeSteps: doneSteps,
      mergeSteps: doneSteps,
    };
    const spec = validation('false', { messageExpression: "object.apiVersion + ' ' + request.kind.version" });
    expect(await denied({ matchConstraints, ...spec }, { versions })).toBe('v2 v2');
    const exact = { ...matchConstraints, matchPolicy: 'Exact' };
    expect(await denied({ matchConstraints: exact, ...spec }, { versions })).toBeUndefined();
  });

  it('leaves audit annotations of all bindings, and failures of those that audit', async () => {
    const noted: [string, string][] = [];
    const { chain, source } = policiesOf(
      [
        policy({
          validations: [{ expression: 'true' }, { expression: 'object.text != "x"', message: '<no x>' }],
          auditAnnotations: [
            { key: 'seen', valueExpression: "' ' + object.metadata.name" },
            { key: 'blank', valueExpression: "' '" },
            { key: 'none', valueExpression: 'null' },
          ],
        }),
      ],
      { validationActions: ['Audit'] },
    );
    source.setBinding({
      ...{ apiVersion: 'v1', kind: 'X', metadata: { name: 'z' } },
      spec: { policyName: 'p', validationActions: ['Audit'] },
    } as ValidatingAdmissionPolicyBinding);
    await chain.validate(requestFor({ object: page(), annotate: (key, value) => noted.push([key, value]) }));
    const failure = (binding: string) =>
      `[{"binding":"${binding}","expressionIndex":1,"message":"\\u003cno x\\u003e","policy":"p","validationActions":["Audit"]}]`;
    expect(noted.map(([key]) => key)).toEqual([
      'validation.policy.admission.orch.io/validation_failure',
      'validation.policy.admission.orch.io/validation_failure',
      'p/seen',
    ]);
    expect(JSON.parse(noted[0]?.[1] ?? '')).toEqual(JSON.parse(failure('b-p')));
    expect(noted[0]?.[1]).toContain('\\u003cno x\\u003e');
    expect(noted[2]?.[1]).toBe('a');
  });

  it('denies what it cannot annotate', async () => {
    const auditAnnotations = [{ key: 'seen', valueExpression: "object.none + 'x'" }];
    const spec = { auditAnnotations, validations: [] };
    const text = `expression 'object.none + 'x'' resulted in error: no such key: none`;
    expect(await denied(spec, {}, { validationActions: ['Audit'] })).toBe(text);
    expect(await denied({ ...spec, failurePolicy: 'Ignore' })).toBeUndefined();
  });

  it('does nothing without a binding, or after its end', async () => {
    const { chain, source } = policiesOf([policy(validation('false'))]);
    const request = requestFor({ object: page() });
    await expect(chain.validate(request)).rejects.toThrow("policy 'p' with binding 'b-p' denied".slice(-6));
    source.deleteBinding({ apiVersion: 'v1', kind: 'X', metadata: { name: 'b-p' } });
    await chain.validate(request);
  });

  it('is found by its resources alone', async () => {
    const rule = { ...all, apiGroups: ['apps'], resources: ['deployments/scale', 'pages'] };
    const { source } = policiesOf([
      policy({ matchConstraints: { resourceRules: [rule] }, ...validation('true') }),
    ]);
    const found = async (group: string, resource: string) => (await source.of({ group, resource })).length;
    expect([await found('apps', 'deployments'), await found('apps', 'pages')]).toEqual([1, 1]);
    for (const [group, name] of [
      ['', 'deployments'],
      ['apps', 'scale'],
      ['apps', 'secrets'],
    ] as const)
      expect(await found(group, name)).toBe(0);
  });
});

describe('parameters', () => {
  const paramKind = { apiVersion: 'example.com/v1', kind: 'Limit' };
  const limit = (name: string, max: number): ApiObject =>
    ({ apiVersion: 'example.com/v1', kind: 'Limit', metadata: { name }, max }) as unknown as ApiObject;
  const stored: Readonly<Record<string, ApiObject>> = {
    'x/low': limit('low', 1),
    'x/high': limit('high', 9),
    'y/low': limit('low', 5),
  };
  const objects = (isNamespaced: boolean): ParameterObjects => ({
    resource: 'limits',
    isNamespaced,
    get: (namespace, name) => stored[`${namespace}/${name}`],
    list: (namespace, labels: LabelSelector) =>
      labels.isEmpty
        ? Object.entries(stored).flatMap(([key, each]) => (key.startsWith(`${namespace}/`) ? [each] : []))
        : [],
  });
  const ask = (
    paramRef: ValidatingAdmissionPolicyBindingSpec['paramRef'],
    {
      isNamespaced = true,
      request = {},
    }: { isNamespaced?: boolean; request?: Partial<AdmissionRequest> } = {},
  ) =>
    denied(
      {
        paramKind,
        ...validation('params == null || params.max > 4', { messageExpression: 'params.metadata.name' }),
      },
      request,
      paramRef ? { paramRef } : {},
      { parameters: (kind) => (kind.kind === 'Limit' ? objects(isNamespaced) : undefined) },
    );

  it('by the thousand let others in between any two of them', async () => {
    let pauses = 0;
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
    const list = () => Array.from({ length: 1_000 }, (_, i) => limit(`l${i}`, 9));
    const message = await denied(
      { paramKind, ...validation('params.max > 4') },
      {},
      { paramRef: { selector: {}, parameterNotFoundAction: 'Deny' } },
      { ambient: { turns }, parameters: () => ({ ...objects(true), list }) },
    );
    expect(message).toBeUndefined();
    expect(pauses).toBe(999);
  });

  const config = (text: string) => `failed to configure binding: ${text}`;

  it.each([
    ['of the namespace of the request', { name: 'low', parameterNotFoundAction: 'Deny' }, 'low'],
    ['that allow', { name: 'high', parameterNotFoundAction: 'Deny' }, undefined],
    ['of another namespace', { name: 'low', namespace: 'y', parameterNotFoundAction: 'Deny' }, undefined],
    ['by selector, each for itself', { selector: {}, parameterNotFoundAction: 'Deny' }, 'low'],
    ['that are absent, allowed', { name: 'none', parameterNotFoundAction: 'Allow' }, undefined],
    [
      'that are absent, denied',
      { selector: { matchLabels: { a: 'b' } }, parameterNotFoundAction: 'Deny' },
      config('no params found for policy binding with `Deny` parameterNotFoundAction'),
    ],
    ['that no binding names are null', undefined, undefined],
  ] as const)('%s', async (_, paramRef, text) => {
    // messages of a dynamic type cannot be compiled: the expression is shown
    const shown = text === 'low' ? 'failed expression: params == null || params.max > 4' : text;
    expect(await ask(paramRef)).toBe(shown);
  });

  it('of a namespace are not those of a cluster', async () => {
    const paramRef = { name: 'low', parameterNotFoundAction: 'Deny' };
    expect(await ask(paramRef, { request: { namespace: '' } })).toBe(
      config('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources'),
    );
    expect(await ask({ ...paramRef, namespace: 'x' }, { isNamespaced: false })).toBe(
      config('paramRef.namespace must not be provided for a cluster-scoped `paramKind`'),
    );
  });

  it('of an unknown kind deny what the policy matches', async () => {
    const spec = { paramKind: { apiVersion: 'v1', kind: 'Limits' }, ...validation('true') };
    expect(await denied(spec)).toBe(
      `failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Limits'`,
    );
    expect(await denied({ ...spec, failurePolicy: 'Ignore' })).toBeUndefined();
  });
});
