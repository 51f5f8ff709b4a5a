import type { ApiService } from '@ashlar/aggregation';
import { kubernetesVocabulary } from '@ashlar/core';
import { nodeClock } from '@ashlar/http-node';
import { createMemoryStore, type MemoryStore } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { type ApiServer, createApiServer } from '../index.ts';

const LABEL = 'kube-aggregator.kubernetes.io/automanaged';

const services = ({ client }: ApiServer) =>
  client.resource<ApiService>({
    group: 'apiregistration.k8s.io',
    version: 'v1',
    resource: 'apiservices',
    kind: 'APIService',
  });

async function started(storage: MemoryStore = createMemoryStore({ clock: nodeClock })): Promise<ApiServer> {
  const server = createApiServer({ vocabulary: kubernetesVocabulary, storage });
  await server.ready;
  return server;
}

const namesOf = async (server: ApiServer): Promise<readonly unknown[]> =>
  (await services(server).list()).items.map(({ metadata }) => metadata.name);

describe('API services of what a server serves itself', () => {
  it('are there when it is ready, as the reference has them', async () => {
    await using server = await started();
    const names = await namesOf(server);
    expect(names).toContain('v1.');
    expect(names).not.toContain('v1.apiregistration.k8s.io');
    expect(await services(server).get('v1.')).toMatchObject({
      metadata: { labels: { [LABEL]: 'onstart' } },
      spec: { version: 'v1', groupPriorityMinimum: 18000, versionPriority: 1 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
    expect((await services(server).get('v1.apiextensions.k8s.io')).spec).toEqual({
      group: 'apiextensions.k8s.io',
      version: 'v1',
      groupPriorityMinimum: 16700,
      versionPriority: 15,
    });
  });

  it('are corrected at the next start, if the server keeps them, and created again', async () => {
    const storage = createMemoryStore({ clock: nodeClock });
    await using first = await started(storage);
    const all = await namesOf(first);
    const core = await services(first).get('v1.');
    const changed = { ...core, spec: { ...core.spec, versionPriority: 7 } };
    await services(first).update(changed);
    const { metadata } = await services(first).get('v1.events.k8s.io');
    await services(first).delete('v1.events.k8s.io', { preconditions: { uid: metadata.uid ?? '' } });
    const extensions = await services(first).get('v1.apiextensions.k8s.io');
    const own = { ...extensions.metadata, labels: {} };
    await services(first).update({
      ...extensions,
      metadata: own,
      spec: { ...extensions.spec, versionPriority: 3 },
    });
    await using second = await started(storage.fork());
    expect(await namesOf(second)).toEqual(all);
    expect((await services(second).get('v1.')).spec.versionPriority).toBe(1);
    expect((await services(second).get('v1.apiextensions.k8s.io')).spec.versionPriority).toBe(3);
  });

  it('are removed at the next start, if it no longer serves the version', async () => {
    const storage = createMemoryStore({ clock: nodeClock });
    await using first = await started(storage);
    const spec = { group: 'apps', version: 'v1beta1', groupPriorityMinimum: 17800, versionPriority: 9 };
    await services(first).create({
      metadata: { name: 'v1beta1.apps', labels: { [LABEL]: 'onstart' } },
      spec,
    });
    const others = { group: 'example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
    await services(first).create({ metadata: { name: 'v1.example.com' }, spec: others });
    await using second = await started(storage.fork());
    const names = await namesOf(second);
    expect(names).not.toContain('v1beta1.apps');
    expect(names).toContain('v1.example.com');
  });
});
