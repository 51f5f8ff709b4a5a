import type { Client } from '@ashlar/client';
import { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { discoverNamespacedResources } from './namespaced-resources.ts';

const verbs = ['create', 'delete', 'list'];

const DOCUMENTS: Readonly<Record<string, object>> = {
  '/apis': {
    groups: [
      { name: 'example.com', preferredVersion: { groupVersion: 'example.com/v2', version: 'v2' } },
      { name: 'empty.example.com' },
    ],
  },
  '/api/v1': {
    groupVersion: 'v1',
    resources: [
      { name: 'configmaps', namespaced: true, verbs },
      { name: 'pods', namespaced: true, verbs },
      { name: 'pods/status', namespaced: true, verbs: ['get'] },
      { name: 'bindings', namespaced: true, verbs: ['create'] },
      { name: 'nodes', namespaced: false, verbs },
    ],
  },
  '/apis/example.com/v2': {
    groupVersion: 'example.com/v2',
    resources: [{ name: 'moons', namespaced: true, verbs }],
  },
};

const unavailable = (path: string): Error => new Error(`nothing at ${path}`);

const client = (documents = DOCUMENTS, errorAt = unavailable): Client =>
  ({
    request: async ({ path }: { path: string }) => {
      const document = documents[path];
      if (!document) throw errorAt(path);
      return document;
    },
  }) as unknown as Client;

describe('discoverNamespacedResources', () => {
  it('finds namespaced types that can be listed and deleted', async () => {
    expect(await discoverNamespacedResources(client())).toEqual([
      { group: '', version: 'v1', resource: 'configmaps' },
      { group: '', version: 'v1', resource: 'pods' },
      { group: 'example.com', version: 'v2', resource: 'moons' },
    ]);
  });

  it('fails if a group cannot be read: unknown types cannot be emptied', async () => {
    const { '/apis/example.com/v2': _, ...rest } = DOCUMENTS;
    await expect(discoverNamespacedResources(client(rest))).rejects.toThrow(
      'nothing at /apis/example.com/v2',
    );
  });

  it('leaves out a group that was removed after the groups were read', async () => {
    const { '/apis/example.com/v2': _, ...rest } = DOCUMENTS;
    const removed = client(rest, () => StatusError.notFound({ group: 'example.com', resource: 'moons' }, ''));
    expect(await discoverNamespacedResources(removed)).toEqual([
      { group: '', version: 'v1', resource: 'configmaps' },
      { group: '', version: 'v1', resource: 'pods' },
    ]);
  });
});
