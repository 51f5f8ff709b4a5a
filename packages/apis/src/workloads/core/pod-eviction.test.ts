import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { emptyStore, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { podDisruptionBudgets } from '../policy/pod-disruption-budgets.ts';
import { pods } from './pods.ts';

let resource: InMemoryResource;
let budgets: InMemoryResource;

beforeEach(async () => {
  const store = emptyStore();
  resource = new InMemoryResource(pods(kubernetesVocabulary), store);
  budgets = new InMemoryResource(podDisruptionBudgets(kubernetesVocabulary), store);
  await resource.create({
    metadata: { name: 'a', labels: { app: 'x' } },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'nginx' }] },
  });
  const conditions = [{ type: 'Ready', status: 'True' }];
  await resource.change('a', (pod) => ({ ...pod, status: { phase: 'Running', conditions } }), 'status');
});

const evict = (body: JsonObject = {}): Promise<unknown> =>
  resource.act('eviction', 'a', body, { poddisruptionbudgets: budgets });

async function budget(disruptionsAllowed: number, name = 'b'): Promise<void> {
  await budgets.create({ metadata: { name }, spec: { selector: { matchLabels: { app: 'x' } } } });
  const status = { observedGeneration: 1, disruptionsAllowed, desiredHealthy: 2, currentHealthy: 2 };
  await budgets.change(name, (object) => ({ ...object, status }), 'status');
}

const isGoing = async (): Promise<boolean> =>
  (await resource.get('a')).metadata.deletionTimestamp !== undefined;

describe('pods/eviction', () => {
  it('marks and deletes a pod without a budget', async () => {
    expect(await evict()).toMatchObject({ status: 'Success', code: 201 });
    expect(await isGoing()).toBe(true);
    expect(await resource.get('a')).toMatchObject({
      status: { conditions: [{}, { type: 'DisruptionTarget', reason: 'EvictionByEvictionAPI' }] },
    });
  });

  it('decrements the allowed disruptions of the budget', async () => {
    await budget(1);
    await evict();
    expect(await budgets.get('b')).toMatchObject({
      status: {
        disruptionsAllowed: 0,
        disruptedPods: { a: '2024-01-02T03:04:05Z' },
        conditions: [{ type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods' }],
      },
    });
    expect(await isGoing()).toBe(true);
  });

  it('is rejected when the budget is exhausted, and decrements nothing in a dry run', async () => {
    await budget(0);
    await expect(evict()).rejects.toMatchObject({ status: { code: 429, reason: 'TooManyRequests' } });
    await expect(evict({ deleteOptions: { dryRun: ['All'] } })).rejects.toThrow('disruption budget');
    expect(await isGoing()).toBe(false);
  });

  it('is compared with budgets of thousands of terms', async () => {
    const isMissing = (key: string) => ({ key, operator: 'DoesNotExist' });
    const terms = Array.from({ length: 3000 }, (_, i) => isMissing(`k${i}`));
    for (const [name, last] of [
      ['b', 'app'],
      ['c', 'k'],
      ['d', 'app'],
    ] as const)
      await budgets.create({
        metadata: { name },
        spec: { selector: { matchExpressions: [...terms, isMissing(last)] } },
      });
    const status = { observedGeneration: 1, disruptionsAllowed: 1, desiredHealthy: 2, currentHealthy: 2 };
    await budgets.change('c', (object) => ({ ...object, status }), 'status');
    await evict();
    expect(await budgets.get('c')).toMatchObject({ status: { disruptionsAllowed: 0 } });
    expect(await isGoing()).toBe(true);
  });

  it('is rejected if two budgets select a pod', async () => {
    await budget(1);
    await budget(1, 'c');
    await expect(evict()).rejects.toMatchObject({ status: { code: 500 } });
  });

  it('ignores budgets for a pod that has ended', async () => {
    await budget(0);
    await resource.change('a', (pod) => ({ ...pod, status: { phase: 'Failed' } }), 'status');
    await evict();
    await expect(resource.get('a')).rejects.toThrow('not found');
  });

  it('checks the uid precondition', async () => {
    await expect(evict({ deleteOptions: { preconditions: { uid: 'other' } } })).rejects.toMatchObject({
      status: { code: 409 },
    });
    expect(await isGoing()).toBe(false);
  });

  it.each([
    [{ propagationPolicy: 'x' }, 'propagationPolicy: Unsupported value: "x"'],
    [{ propagationPolicy: 'Orphan', orphanDependents: true }, 'cannot be both set'],
    [{ dryRun: ['x'] }, 'dryRun: Unsupported value: []string{"x"}'],
  ])('refuses the options of deletion %j, and marks nothing', async (deleteOptions, message) => {
    await expect(evict({ deleteOptions })).rejects.toMatchObject({
      message: expect.stringContaining(message),
      status: { code: 422, details: { group: 'meta.k8s.io', kind: 'DeleteOptions' } },
    });
    const { status } = await resource.get('a');
    expect(JSON.stringify(status)).not.toContain('DisruptionTarget');
  });

  it('says the budget before what is wrong with the options', async () => {
    await budget(0);
    await expect(evict({ deleteOptions: { propagationPolicy: 'x' } })).rejects.toThrow('disruption budget');
  });

  it('leaves dependents if it should, and checks the version in a dry run, too', async () => {
    const preconditions = { resourceVersion: '1' };
    await expect(evict({ deleteOptions: { preconditions, dryRun: ['All'] } })).rejects.toMatchObject({
      status: { code: 409 },
    });
    await evict({ deleteOptions: { orphanDependents: true } });
    expect((await resource.get('a')).metadata.finalizers).toEqual(['orphan']);
  });

  it('agrees with its request about a dry run', async () => {
    const asked = (dryRun: readonly string[], own: readonly string[]): Promise<unknown> =>
      resource.actWith({ dryRun: true, options: { dryRun } }, 'eviction', 'a', {
        deleteOptions: { dryRun: own },
      });
    await expect(asked(['All'], ['All', 'All'])).rejects.toMatchObject({
      message: 'Non-matching dry-run options in request and content: [All] and [All All]',
      status: { code: 500 },
    });
    await asked(['All'], ['All']);
    expect(await isGoing()).toBe(false);
  });
});
