import { type ApiObject, orchVocabulary, type Steps } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createAdmissionChain } from '../admission-chain.ts';
import type { AdmissionVersions } from '../admission-request.ts';
import { requestFor } from '../request.fixture.ts';
import { createMutatingPolicies } from './mutating-policies.ts';
import { all, page } from './policies.fixture.ts';
import type { Mutation } from './policy-objects.ts';
import { MutatingPolicies } from './policy-source.ts';

const PAUSES_OF_DECODING = 5;

function* decodedInSteps(object: ApiObject): Steps<ApiObject> {
  for (let i = 0; i < PAUSES_OF_DECODING; i++) yield;
  return object;
}

function* mergedInSteps(object: ApiObject, part: object): Steps<ApiObject> {
  for (let i = 0; i < PAUSES_OF_DECODING; i++) yield;
  return { ...object, ...part };
}

const versions: AdmissionVersions = {
  ...{ others: [], isCustom: true, convert: (object) => object },
  decodeSteps: decodedInSteps,
  mergeSteps: mergedInSteps,
};

/** Mutates an object; returns it with the number of pauses. */
async function mutated(
  object: ApiObject,
  mutations: readonly Mutation[],
  bindings: readonly string[] = ['b'],
) {
  const vocabulary = orchVocabulary;
  const source = new MutatingPolicies(vocabulary);
  const own = { apiVersion: 'admissionregistration.orch.io/v1alpha1', kind: 'X' };
  const matchConstraints = { resourceRules: [all], namespaceSelector: {}, objectSelector: {} };
  source.setPolicy({
    ...{ ...own, metadata: { name: 'p' } },
    spec: { failurePolicy: 'Fail', matchConstraints, mutations },
  });
  for (const name of bindings) source.setBinding({ ...own, metadata: { name }, spec: { policyName: 'p' } });
  let pauses = 0;
  const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
  const plugin = createMutatingPolicies({
    ...{ ambient: { turns }, vocabulary, parameters: () => undefined },
    authorizer: { authorize: () => ({ decision: 'no-opinion' }) },
    namespace: (name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    source: { current: (request) => source.of(request.resource) },
  });
  const after = await createAdmissionChain([plugin]).mutate(requestFor({ object, versions }));
  return { after: after as ApiObject & { readonly text: string }, pauses };
}

const applied = (expression: string): Mutation => ({
  patchType: 'ApplyConfiguration',
  applyConfiguration: { expression },
});
const patched = (expression: string): Mutation => ({ patchType: 'JSONPatch', jsonPatch: { expression } });
const large = page({ text: 'x'.repeat(100_000) });

describe('a mutating policy and others', () => {
  it('take turns while an object is merged and decoded', async () => {
    const { after, pauses } = await mutated(page(), [applied("Object{text: 'y'}")]);
    expect(after.text).toBe('y');
    expect(pauses).toBe(2 * PAUSES_OF_DECODING);
  });

  it('take turns between their bindings', async () => {
    const { pauses } = await mutated(page(), [applied("Object{text: 'y'}")], ['a', 'b', 'c']);
    expect(pauses).toBe(3 * 2 * PAUSES_OF_DECODING + 2);
  });

  it('take turns around what is made of a large object', async () => {
    const { pauses } = await mutated(large, [applied("Object{text: 'y'}")]);
    expect(pauses).toBe(2 * PAUSES_OF_DECODING + 2);
  });

  it('take turns for each of its mutations', async () => {
    const { after, pauses } = await mutated(
      large,
      ['a', 'b', 'c'].map((text) => applied(`Object{text: '${text}'}`)),
    );
    expect(after.text).toBe('c');
    expect(pauses).toBeGreaterThanOrEqual(3 * 2 * PAUSES_OF_DECODING);
  });

  it('take turns between the operations of a patch', async () => {
    const operations = Array.from(
      { length: 20 },
      (_, i) => `JSONPatch{op: 'add', path: '/k${i}', value: 'v'}`,
    );
    const { after, pauses } = await mutated(page(), [patched(`[${operations.join(', ')}]`)]);
    expect(after).toMatchObject({ k0: 'v', k19: 'v' });
    expect(pauses).toBeGreaterThanOrEqual(20 + PAUSES_OF_DECODING);
  });
});
