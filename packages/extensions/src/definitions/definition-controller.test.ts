import { type ApiObject, kubernetesVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import type { ResourceStorage, WatchSink } from '@ashlar/registry';
import { describe, expect, it, vi } from 'vitest';
import type { CustomResourceDefinition } from './custom-resource-definition.ts';
import { createDefinitionController } from './definition-controller.ts';

const FINALIZER = 'customresourcecleanup.apiextensions.k8s.io';

const deleted = (): CustomResourceDefinition =>
  ({
    metadata: {
      ...{ name: 'ws.example.com', resourceVersion: '1', deletionTimestamp: '2026-01-01T00:00:00Z' },
      finalizers: [FINALIZER],
    },
    spec: {
      group: 'example.com',
      names: { plural: 'ws', kind: 'W' },
      versions: [{ name: 'v1', served: true, storage: true }],
    },
    status: {
      acceptedNames: { plural: 'ws', kind: 'W' },
      conditions: ['NamesAccepted', 'Established'].map((type) => ({ type, status: 'True' })),
    },
  }) as never;

/** A definition that is being deleted, with the objects of its type by namespace. */
function terminating(objects: Set<string>, failure: { list?: string; delete?: string } = {}) {
  let stored: CustomResourceDefinition | undefined = deleted();
  let revision = 1;
  let writes = 0;
  let handler: WatchSink | undefined;
  const definitions = {
    async watch(_context: unknown, _request: unknown, given: WatchSink) {
      handler = given;
      given.event('ADDED', stored as ApiObject);
      return { [Symbol.dispose]() {} };
    },
    async update(_context: unknown, { update }: { update: (current: ApiObject) => ApiObject }) {
      const next = update(stored as ApiObject) as CustomResourceDefinition;
      if (next === stored) return { answer: next };
      writes++;
      stored = { ...next, metadata: { ...next.metadata, resourceVersion: String(++revision) } };
      handler?.event('MODIFIED', stored as ApiObject);
      return { answer: stored };
    },
  };
  const instances = {
    async list() {
      if (failure.list) throw new Error(failure.list);
      return { items: [...objects].map((namespace) => ({ metadata: { namespace } })) };
    },
    async deleteCollection({ namespace }: { namespace: string }) {
      if (failure.delete) throw new Error(`${failure.delete} in ${namespace}`);
    },
  };
  const clock = createSteppedClock();
  const errors: string[] = [];
  const controller = createDefinitionController({
    definitions: definitions as never as ResourceStorage,
    instancesOf: () => instances as never as ResourceStorage,
    ambient: { clock, random: { bytes: (into) => into }, vocabulary: kubernetesVocabulary },
    user: { name: 'controller', groups: [] },
    onError: (error) => errors.push((error as Error).message),
  });
  controller.start();
  const condition = () => stored?.status.conditions?.find(({ type }) => type === 'Terminating');
  const reason = (expected: string): Promise<void> =>
    vi.waitFor(() => expect(condition()?.reason).toBe(expected), { timeout: 5_000 });
  const waits = (): Promise<void> =>
    vi.waitFor(() => expect(clock.pending().length).toBeGreaterThan(0), { timeout: 5_000 });
  return {
    clock,
    condition,
    controller,
    errors,
    failure,
    reason,
    stored: () => stored,
    waits,
    writes: () => writes,
  };
}

describe('a definition that is being deleted', () => {
  it('is finished when no object remains', async () => {
    const { controller, reason, stored } = terminating(new Set());
    await reason('InstanceDeletionCompleted');
    expect(stored()?.metadata.finalizers ?? []).toEqual([]);
    await controller.close();
  });

  it('says after a minute that objects remain, and is not written again and again', async () => {
    const objects = new Set(['a']);
    const { clock, condition, controller, reason, waits, writes } = terminating(objects);
    await reason('InstanceDeletionInProgress');
    for (let i = 0; i < 3; i++) {
      await waits();
      clock.advance(500);
    }
    expect(writes()).toBe(1);
    await waits();
    clock.advance(60_000);
    await reason('InstanceDeletionCheck');
    expect(condition()).toMatchObject({
      status: 'True',
      message: 'could not confirm zero CustomResources remaining: timed out waiting for the condition',
    });
    objects.clear();
    await waits();
    clock.advance(500);
    await reason('InstanceDeletionCompleted');
    await controller.close();
  });

  it.each([
    [{ list: 'broken' }, 'could not list instances: broken'],
    [{ delete: 'refused' }, 'could not issue all deletes: [refused in a, refused in b]'],
  ])('says why objects cannot be deleted: %j', async (failure, message) => {
    const objects = new Set(['a', 'b']);
    const made = terminating(objects, { ...failure });
    await made.reason('InstanceDeletionFailed');
    expect(made.condition()).toMatchObject({ status: 'True', message });
    expect(made.errors).toContain(message);
    const before = made.writes();
    await made.waits();
    // another error each time is not another write each time
    Object.assign(made.failure, { list: 'broken in another way' });
    made.clock.advance(1_000);
    await vi.waitFor(() => expect(made.errors).toContain('could not list instances: broken in another way'), {
      timeout: 5_000,
    });
    expect(made.writes()).toBe(before);
    await made.controller.close();
  });
});
