import type { OwnerReference } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { classifyOwners } from './classify-owners.ts';
import { OwnerGraph } from './owner-graph.ts';
import type { Ownership, OwnershipSource } from './ownership.ts';

const COUNT = 10_000;

/** A cluster without any object. */
const source: OwnershipSource = {
  follow: () => ({ [Symbol.dispose]() {} }),
  typeOf: () => ({
    reference: { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' },
    namespaced: true,
  }),
  typeInAnyVersion: () => undefined,
  find: async () => undefined,
  namespaceOf: async () => undefined,
};

describe('an object with very many owners', () => {
  it('lets others work between any two of them', async () => {
    const owners = Array.from(
      { length: COUNT },
      (_, i): OwnerReference => ({ apiVersion: 'v1', kind: 'ConfigMap', name: `n${i}`, uid: `u${i}` }),
    );
    const object: Ownership = {
      ...{ uid: 'a', apiVersion: 'v1', kind: 'ConfigMap', namespace: 'n', name: 'a', resourceVersion: '1' },
      ...{ owners, finalizers: [], isBeingDeleted: false },
    };
    let chances = 0;
    const letOthersWork = async (): Promise<void> => {
      chances++;
    };
    const graph = new OwnerGraph(() => {});
    const { absent } = await classifyOwners(object, { graph, source, letOthersWork });
    expect(absent).toHaveLength(COUNT);
    expect(chances).toBe(COUNT);
  });
});
