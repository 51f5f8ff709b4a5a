import { type Authorizer, orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from './admission-chain.ts';
import { createMutatingPolicies } from './policies/mutating-policies.ts';
import { all, page, policiesOf, policy } from './policies/policies.fixture.ts';
import { MutatingPolicies } from './policies/policy-source.ts';
import { requestFor } from './request.fixture.ts';

const own = { apiVersion: 'v1', kind: 'X' };
const vocabulary = orchVocabulary;
const authorizer: Authorizer = { authorize: () => ({ decision: 'no-opinion' }) };
const denials = policiesOf([
  policy({
    variables: [{ name: 'wide', expression: 'object.text + "y"' }],
    matchConditions: [{ name: 'c', expression: 'object.text != ""' }],
    validations: [{ expression: 'true' }, { expression: 'variables.wide == object.text', message: 'no' }],
  }),
]).chain;

const causesOf = async (attempt: () => unknown): Promise<unknown> => {
  try {
    await attempt();
  } catch (error) {
    if (StatusError.is(error)) return error.details?.causes;
    throw error;
  }
  return undefined;
};

/** Tells alice, of several who are refused. */
const explainsTo = ({ name }: { readonly name: string }): boolean => name === 'alice';

describe('a denial', () => {
  const asPlugin = { name: 'Outer', handles: () => true, validate: denials.validate };

  it('names the plugin, the policy and its expressions with their values', async () => {
    const chain = createAdmissionChain([asPlugin], { explainsTo });
    const object = page();
    expect(await causesOf(() => chain.validate(requestFor({ object })))).toEqual([
      { message: expect.stringContaining("ValidatingAdmissionPolicy 'p' with binding 'b-p'") },
      { reason: 'AdmissionPolicy', message: 'policy "p" with binding "b-p"' },
      {
        reason: 'AdmissionExpression',
        field: 'spec.matchConditions[0].expression',
        message: expect.stringMatching(/^object.text != "" => true, cost [0-9]+$/),
      },
      {
        reason: 'AdmissionExpression',
        field: 'spec.validations[0].expression',
        message: 'true => true, cost 0',
      },
      {
        reason: 'AdmissionExpression',
        field: 'spec.variables[0].expression (wide)',
        message: expect.stringMatching(/^object.text \+ "y" => "xy", cost [0-9]+$/),
      },
      {
        reason: 'AdmissionExpression',
        field: 'spec.validations[1].expression',
        message: expect.stringMatching(/^variables.wide == object.text => false, cost [0-9]+$/),
      },
      { reason: 'AdmissionPlugin', message: 'ValidatingAdmissionPolicy' },
      { reason: 'AdmissionPlugin', message: 'Outer' },
    ]);
  });

  it('says no more than its message to others', async () => {
    const chain = createAdmissionChain([asPlugin], { explainsTo });
    const user = { name: 'ben', groups: ['system:authenticated'] };
    expect(await causesOf(() => chain.validate(requestFor({ object: page(), user })))).toHaveLength(1);
    const silent = createAdmissionChain([asPlugin]);
    expect(await causesOf(() => silent.validate(requestFor({ object: page() })))).toHaveLength(1);
  });

  it('shortens values, and leaves errors alone that are no denials', async () => {
    const chain = createAdmissionChain([asPlugin], { explainsTo });
    const object = page({ text: 'x'.repeat(5_000) });
    const causes = (await causesOf(() => chain.validate(requestFor({ object })))) as { message: string }[];
    expect(causes.find(({ message }) => message.startsWith('object.text +'))?.message).toHaveLength(1025);
    const broken = { name: 'B', handles: () => true, validate: () => Promise.reject(new TypeError('bug')) };
    const failing = createAdmissionChain([broken], { explainsTo });
    await expect(failing.validate(requestFor({ object }))).rejects.toThrow(TypeError);
  });

  it('of a mutating policy names the expression that failed', async () => {
    const source = new MutatingPolicies(vocabulary);
    source.setPolicy({
      ...own,
      metadata: { name: 'm' },
      spec: {
        matchConstraints: { resourceRules: [all], namespaceSelector: {}, objectSelector: {} },
        variables: [{ name: 'v', expression: 'object.text' }],
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "add", path: variables.v + object.none, value: "x"}]' },
          },
        ],
      },
    });
    source.setBinding({ ...own, metadata: { name: 'b' }, spec: { policyName: 'm' } });
    const plugin = createMutatingPolicies({
      ...{ ambient: {}, vocabulary, authorizer, parameters: () => undefined },
      namespace: (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
      source: { current: (request) => source.of(request.resource) },
    });
    const chain = createAdmissionChain([plugin], { explainsTo });
    expect(await causesOf(() => chain.mutate(requestFor({ object: page() })))).toMatchObject([
      {},
      { reason: 'AdmissionPolicy', message: 'policy "m" with binding "b"' },
      { field: 'spec.variables[0].expression (v)', message: expect.stringContaining('=> "x"') },
      {
        field: 'spec.mutations[0].jsonPatch.expression',
        message: expect.stringContaining('error: '),
      },
      { reason: 'AdmissionPlugin', message: 'MutatingAdmissionPolicy' },
    ]);
  });
});
