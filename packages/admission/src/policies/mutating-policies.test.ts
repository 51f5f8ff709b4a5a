import { type ApiObject, doneSteps, orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type AdmissionChain, createAdmissionChain } from '../admission-chain.ts';
import type { AdmissionPlugin, AdmissionVersions } from '../admission-request.ts';
import { requestFor } from '../request.fixture.ts';
import { createMutatingPolicies } from './mutating-policies.ts';
import { all, page } from './policies.fixture.ts';
import type { MutatingAdmissionPolicySpec, Mutation } from './policy-objects.ts';
import { MutatingPolicies } from './policy-source.ts';
import { mutatingPolicyErrors } from './validate-mutating-policy.ts';

const apply = (expression: string): Mutation => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patch = (expression: string): Mutation => ({ patchType: 'JSONPatch', jsonPatch: { expression } });

const versions: AdmissionVersions = {
  ...{ others: [], isCustom: true, convert: (object) => object, decodeSteps: doneSteps },
  mergeSteps: (object, part) =>
    doneSteps({ ...object, ...part, metadata: { ...object.metadata, ...(part.metadata as object) } }),
};

type Specs = Readonly<Record<string, Partial<MutatingAdmissionPolicySpec>>>;

function chainOf(specs: Specs, others: readonly AdmissionPlugin[] = []): AdmissionChain {
  const vocabulary = orchVocabulary;
  const source = new MutatingPolicies(vocabulary);
  const own = { apiVersion: 'admissionregistration.orch.io/v1alpha1', kind: 'X' };
  for (const [name, spec] of Object.entries(specs)) {
    const matchConstraints = { resourceRules: [all], namespaceSelector: {}, objectSelector: {} };
    source.setPolicy({
      ...own,
      metadata: { name },
      spec: { failurePolicy: 'Fail', matchConstraints, ...spec },
    });
    source.setBinding({ ...own, metadata: { name: `b-${name}` }, spec: { policyName: name } });
  }
  const plugin = createMutatingPolicies({
    ambient: {},
    vocabulary,
    authorizer: { authorize: () => ({ decision: 'no-opinion' }) },
    namespace: (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    source: { current: (request) => source.of(request.resource) },
    parameters: () => undefined,
  });
  return createAdmissionChain([plugin, ...others]);
}

/** The object after the policies, or the error. */
const mutated = (specs: Specs, object: ApiObject = page(), others?: readonly AdmissionPlugin[]) =>
  Promise.resolve(chainOf(specs, others).mutate(requestFor({ object, versions }))).catch(
    (error: unknown) => error,
  ) as Promise<ApiObject & { readonly text: string }>;

describe('a mutating policy', () => {
  it('makes its changes in order, each on what those before it left', async () => {
    const mutations = [
      apply("Object{text: object.text + 'a'}"),
      patch("[JSONPatch{op: 'replace', path: '/text', value: object.text + variables.b}]"),
    ];
    const variables = [{ name: 'b', expression: "object.text + 'b'" }];
    expect((await mutated({ p: { mutations, variables } })).text).toBe('xaxab');
  });

  it('leaves the object as it is when a test of its patch fails', async () => {
    const expression =
      "[JSONPatch{op: 'test', path: '/text', value: 'y'}, JSONPatch{op: 'remove', path: '/text'}]";
    expect((await mutated({ p: { mutations: [patch(expression)] } })).text).toBe('x');
  });

  it.each([
    [
      'Object{metadata: Object.spec{labels: {}}}',
      /unexpected type name "Object.spec", expected "Object.metadata"/,
    ],
    ['Object{text: object.none}', /resulted in error: no such key: none$/],
  ])('denies %s, or ignores it', async (expression, text) => {
    const mutations = [apply("Object{text: 'lost'}"), apply(expression)];
    const error = await mutated({ p: { mutations } });
    expect(error).toBeInstanceOf(StatusError);
    expect(error).toMatchObject({
      code: 403,
      reason: 'Invalid',
      message: expect.stringMatching(/^policy 'p' with binding 'b-p' denied request: /),
      details: { causes: [{ message: expect.stringMatching(text) }] },
    });
    // what the other mutations did stays
    expect((await mutated({ p: { mutations, failurePolicy: 'Ignore' } })).text).toBe('lost');
  });

  it('is denied for each of its mutations that fails, the last ones included', async () => {
    const remove = (path: string) => patch(`[JSONPatch{op: 'remove', path: '${path}'}]`);
    const error = await mutated({
      p: { mutations: [remove('/a'), apply("Object{text: 'y'}"), remove('/b')] },
    });
    expect(error).toMatchObject({
      details: {
        causes: [
          { message: expect.stringMatching(/nonexistent key: a: /) },
          { message: expect.stringMatching(/nonexistent key: b: /) },
        ],
      },
    });
  });

  it('of policy IfNeeded is evaluated once more, whatever it changed, unless its conditions were not met', async () => {
    const append = (suffix: string) => [apply(`Object{text: object.text + '${suffix}'}`)];
    const a = { mutations: append('a'), reinvocationPolicy: 'IfNeeded' } as const;
    expect((await mutated({ a })).text).toBe('xaa');
    const none = { mutations: [apply('Object{}')], reinvocationPolicy: 'IfNeeded' } as const;
    expect((await mutated({ a, b: none })).text).toBe('xaa');
    const matchConditions = [{ name: 'late', expression: "object.text.contains('b')" }];
    expect((await mutated({ a: { ...a, matchConditions }, b: { mutations: append('b') } })).text).toBe('xb');
  });

  it('fails with 500 if its patch leaves something that cannot be decoded, whatever its failure policy is', async () => {
    const wrong: AdmissionVersions = {
      ...versions,
      decodeSteps: (_object, _version, isStrict) => {
        throw new TypeError(`wrong${isStrict ? ', strictly' : ''}`);
      },
    };
    const mutations = [patch("[JSONPatch{op: 'add', path: '/a', value: 1}]")];
    const chain = chainOf({ p: { mutations, failurePolicy: 'Ignore' } });
    const failure = Promise.resolve(chain.mutate(requestFor({ object: page(), versions: wrong })));
    await expect(failure).rejects.toMatchObject({
      code: 500,
      message: 'Internal error occurred: wrong, strictly',
    });
  });

  it.each([
    [
      "JSONPatch{op: 'add', path: '/a', value: Object.spec{b: Object.c{}}}",
      /: type mismatch: unexpected type name "Object.c", expected "Object.spec.b"/,
    ],
    ["JSONPatch{path: '/a'}", /: JSON Patch: Unexpected kind: $/],
    [
      "JSONPatch{op: 'add', value: 1}",
      /: JSON Patch: add operation does not apply: doc is missing path: "": missing value$/,
    ],
  ])('denies the operation %s', async (operation, message) => {
    expect(await mutated({ p: { mutations: [patch(`[${operation}]`)] } })).toMatchObject({
      code: 403,
      message: expect.stringMatching(message),
    });
  });

  it('denies a patch that cannot be applied', async () => {
    const mutations = [patch("[JSONPatch{op: 'remove', path: '/none'}]")];
    expect(await mutated({ p: { mutations } })).toMatchObject({
      message: expect.stringMatching(/denied request: JSON Patch: /),
    });
  });

  it.each([
    ['IfNeeded', 'xab a'],
    ['Never', 'xab'],
  ])('of reinvocation policy %s after a change by another', async (reinvocationPolicy, text) => {
    const append = (suffix: string) => [apply(`Object{text: object.text + '${suffix}'}`)];
    const once = [{ name: 'few', expression: 'object.text.size() < 4' }];
    const specs: Specs = {
      a: {
        mutations: [apply("Object{text: object.text == 'x' ? 'xa' : object.text + ' a'}")],
        reinvocationPolicy,
      },
      b: { mutations: append('b'), reinvocationPolicy: 'Never', matchConditions: once },
    };
    expect((await mutated(specs)).text).toBe(text);
  });

  it('that names unknown parameters is forbidden, not invalid', async () => {
    const paramKind = { apiVersion: 'x.io/v1', kind: 'Params' };
    expect(await mutated({ p: { mutations: [apply('Object{}')], paramKind } })).toMatchObject({
      ...{ code: 403, reason: 'Forbidden' },
      message: expect.stringMatching(/^policy "p" denied request: failed to configure policy: /),
    });
  });

  it('is not evaluated on deletions', async () => {
    const chain = chainOf({ p: { mutations: [apply('Object{text: object.none}')] } });
    expect(await chain.mutate(requestFor({ operation: 'DELETE', oldObject: page() }))).toBeUndefined();
  });
});

it.each([
  [
    { mutations: [patch(' ')] },
    'spec.mutations[0].jsonPatch.expression: Required value: expression is not specified',
  ],
  [
    { mutations: [patch('[JSONPatch{op: 1}]')] },
    /expected type of field 'op' is 'string' but provided type is 'int'/,
  ],
  [
    { mutations: [{ patchType: 'Merge' }] },
    'spec.mutations[0].patchType: Unsupported value: "Merge": supported values: "ApplyConfiguration", "JSONPatch"',
  ],
  [{ mutations: [patch("[JSONPatch{path: '/' + jsonpatch.escapeKey('a/b')}]")] }, undefined],
] as const)('the errors of %j', (spec, text) => {
  const errors = mutatingPolicyErrors(
    {
      ...{ apiVersion: 'v1', kind: 'X', metadata: { name: 'p' } },
      spec: {
        matchConstraints: {
          resourceRules: [all],
          namespaceSelector: {},
          objectSelector: {},
          matchPolicy: 'Exact',
        },
        reinvocationPolicy: 'Never',
        ...spec,
      },
    },
    orchVocabulary,
  ).map(({ field, message }) => `${field}: ${message}`);
  expect(errors).toEqual(
    text === undefined ? [] : [expect.stringMatching(text instanceof RegExp ? text : '')],
  );
  if (typeof text === 'string') expect(errors).toEqual([text]);
});
