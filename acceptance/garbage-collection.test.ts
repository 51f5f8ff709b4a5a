import { workloadResources } from '@ashlar/apis/workloads';
import type { ResourceClient } from '@ashlar/client';
import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createTestServer, type TestServer } from '@ashlar/testing';
import { describe, expect, it } from 'vitest';
import { aWhile, isGone, mapsOf, ownedBy, settled } from './owned-objects.fixture.ts';

const HELD = { finalizers: ['example.com/hold'] };

describe.each([kubernetesVocabulary, orchVocabulary])(
  'garbage collection, in the words of $name',
  (vocabulary) => {
    const start = (): Promise<TestServer> =>
      createTestServer({ vocabulary, resources: workloadResources(vocabulary) });
    const definitionsOf = ({ client }: TestServer): ResourceClient =>
      client.resource({
        group: groupName(vocabulary, 'apiextensions.'),
        ...{ version: 'v1', resource: 'customresourcedefinitions', kind: 'CustomResourceDefinition' },
      });

    const release = (maps: ResourceClient, name: string): Promise<unknown> =>
      maps.patch(name, { type: 'merge', patch: { metadata: { finalizers: null } } });

    it('deletes objects that lose their only owner, and their dependents', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const top = await maps.create({ metadata: { name: 'top' } });
      const middle = await maps.create({ metadata: { name: 'middle', ownerReferences: [ownedBy(top)] } });
      await maps.create({ metadata: { name: 'bottom', ownerReferences: [ownedBy(middle)] } });
      await aWhile(server);
      expect(await isGone(maps, 'bottom')).toBe(false);
      await maps.delete('top');
      await settled(server, () => isGone(maps, 'bottom'));
      expect(await isGone(maps, 'middle')).toBe(true);
    });

    it('keeps the owner of a foreground deletion until its blocking dependents are gone', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const top = await maps.create({ metadata: { name: 'top' } });
      const blocking = ownedBy(top, { blockOwnerDeletion: true });
      await maps.create({ metadata: { name: 'blocks', ...HELD, ownerReferences: [blocking] } });
      await maps.create({ metadata: { name: 'idle', ...HELD, ownerReferences: [ownedBy(top)] } });
      const marked = (await maps.delete('top', { propagationPolicy: 'Foreground' })) as ApiObject;
      expect(marked.metadata.finalizers).toEqual(['foregroundDeletion']);
      await aWhile(server);
      for (const name of ['top', 'blocks', 'idle'])
        expect((await maps.get(name)).metadata.deletionTimestamp).toBeDefined();
      await release(maps, 'blocks');
      await settled(server, () => isGone(maps, 'top'));
      expect(await isGone(maps, 'idle')).toBe(false);
    });

    it('releases the dependents of an orphaning deletion, including those being deleted', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const top = await maps.create({ metadata: { name: 'top' } });
      await maps.create({ metadata: { name: 'a', ownerReferences: [ownedBy(top)] } });
      await maps.create({ metadata: { name: 'held', ...HELD, ownerReferences: [ownedBy(top)] } });
      await maps.delete('held');
      await maps.delete('top', { propagationPolicy: 'Orphan' });
      await settled(server, () => isGone(maps, 'top'));
      for (const name of ['a', 'held'])
        expect((await maps.get(name)).metadata.ownerReferences).toBeUndefined();
    });

    it('follows a repeated deletion with another policy', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const top = await maps.create({ metadata: { name: 'top' } });
      const reference = ownedBy(top, { blockOwnerDeletion: true });
      await maps.create({ metadata: { name: 'held', ...HELD, ownerReferences: [reference] } });
      await maps.delete('top', { propagationPolicy: 'Foreground' });
      await aWhile(server);
      await maps.create({ metadata: { name: 'late', ownerReferences: [reference] } });
      await aWhile(server);
      expect((await maps.get('late')).metadata.deletionTimestamp).toBeUndefined();
      await maps.delete('top', { propagationPolicy: 'Orphan' });
      await settled(server, () => isGone(maps, 'top'));
      expect((await maps.get('late')).metadata.ownerReferences).toBeUndefined();
      expect((await maps.get('held')).metadata.ownerReferences).toBeUndefined();
    });

    it('deletes late dependents of a waiting owner, once another dependent is gone', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const top = await maps.create({ metadata: { name: 'top' } });
      const reference = ownedBy(top, { blockOwnerDeletion: true });
      await maps.create({ metadata: { name: 'held', ...HELD, ownerReferences: [reference] } });
      await maps.delete('top', { propagationPolicy: 'Foreground' });
      await maps.create({ metadata: { name: 'late', ownerReferences: [reference] } });
      await aWhile(server);
      expect(await isGone(maps, 'late')).toBe(false);
      await release(maps, 'held');
      await settled(server, () => isGone(maps, 'top'));
      expect(await isGone(maps, 'late')).toBe(true);
    });

    it('deletes an object that owns and blocks itself, in the foreground', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const own = await maps.create({ metadata: { name: 'own' } });
      const reference = ownedBy(own, { blockOwnerDeletion: true });
      await maps.patch('own', { type: 'merge', patch: { metadata: { ownerReferences: [reference] } } });
      await aWhile(server);
      await maps.delete('own', { propagationPolicy: 'Foreground' });
      await settled(server, () => isGone(maps, 'own'));
    });

    it('deletes objects that name an owner in another namespace, and records the reason', async () => {
      await using server = await start();
      const top = await mapsOf(server).create({ metadata: { name: 'top' } });
      const elsewhere = `${vocabulary.namespacePrefix}-system`;
      const maps = mapsOf(server, elsewhere);
      const uid = (await maps.create({ metadata: { name: 'far', ownerReferences: [ownedBy(top)] } })).metadata
        .uid;
      await settled(server, () => isGone(maps, 'far'));
      const events = server.client
        .resource({ group: '', version: 'v1', resource: 'events' })
        .namespace(elsewhere);
      const [event, ...others] = (await events.list()).items;
      expect(others).toEqual([]);
      expect(event).toMatchObject({
        type: 'Warning',
        reason: 'OwnerRefInvalidNamespace',
        message: `ownerRef [v1/ConfigMap, namespace: ${elsewhere}, name: top, uid: ${top.metadata.uid}] does not exist in namespace "${elsewhere}"`,
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace: elsewhere, name: 'far', uid },
        source: { component: 'garbage-collector-controller' },
      });
      expect(await isGone(mapsOf(server), 'top')).toBe(false);
    });

    it('keeps a cluster-scoped object that names a namespaced owner', async () => {
      await using server = await start();
      const namespaces = server.client.resource({
        group: '',
        version: 'v1',
        resource: 'namespaces',
        kind: 'Namespace',
      });
      const top = await mapsOf(server).create({ metadata: { name: 'top' } });
      await namespaces.create({ metadata: { name: 'owned', ownerReferences: [ownedBy(top)] } });
      await mapsOf(server).delete('top');
      await aWhile(server);
      expect((await namespaces.get('owned')).metadata.deletionTimestamp).toBeUndefined();
      const events = await mapsEvents(server);
      expect(events.map(({ reason }) => reason)).toEqual(['OwnerRefInvalidNamespace']);
    });

    const mapsEvents = async ({ client }: TestServer): Promise<readonly ApiObject[]> =>
      (await client.resource({ group: '', version: 'v1', resource: 'events' }).namespace('default').list())
        .items;

    it('follows custom types as they are added and removed', async () => {
      await using server = await start();
      const maps = mapsOf(server);
      const uid = '11111111-2222-3333-4444-555555555555';
      const owner = { apiVersion: 'example.com/v1', kind: 'Widget', name: 'none', uid };
      await maps.create({ metadata: { name: 'waits', ownerReferences: [owner] } });
      await aWhile(server);
      expect(await isGone(maps, 'waits')).toBe(false);
      await definitionsOf(server).create({
        metadata: { name: 'widgets.example.com' },
        spec: {
          group: 'example.com',
          scope: 'Namespaced',
          names: { plural: 'widgets', kind: 'Widget' },
          versions: [
            { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
          ],
        },
      });
      await settled(server, () => isGone(maps, 'waits'));
      const widgets = server.client
        .resource({ group: 'example.com', version: 'v1', resource: 'widgets', kind: 'Widget' })
        .namespace('default');
      const widget = await widgets.create({ metadata: { name: 'w' } });
      await maps.create({ metadata: { name: 'of-w', ownerReferences: [ownedBy(widget)] } });
      await aWhile(server);
      expect(await isGone(maps, 'of-w')).toBe(false);
      // the type is gone before its owner can be read
      await definitionsOf(server).delete('widgets.example.com');
      await settled(server, () => isGone(maps, 'of-w'));
    });

    it('collects orphans from before its start', async () => {
      const storage = createMemoryStore({ clock: createManualClock() });
      await using first = await createTestServer({
        vocabulary,
        storage,
        controllers: ['*', '-garbagecollector'],
      });
      const maps = mapsOf(first);
      const top = await maps.create({ metadata: { name: 'top' } });
      const reference = ownedBy(top, { blockOwnerDeletion: true });
      await maps.create({ metadata: { name: 'dependent', ownerReferences: [reference] } });
      const gone = await maps.create({ metadata: { name: 'gone' } });
      await maps.create({ metadata: { name: 'left', ownerReferences: [ownedBy(gone)] } });
      await maps.delete('gone');
      await maps.delete('top', { propagationPolicy: 'Foreground' });
      await aWhile(first);
      expect(await isGone(maps, 'left')).toBe(false);
      await using second = await createTestServer({ vocabulary, storage: storage.fork() });
      await settled(second, () => isGone(mapsOf(second), 'top'));
      for (const name of ['left', 'dependent']) await settled(second, () => isGone(mapsOf(second), name));
    });

    it('orphans the pods of jobs by default, with a warning', async () => {
      await using server = await start();
      const spec = { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] };
      const jobs = server.client
        .resource({ group: 'batch', version: 'v1', resource: 'jobs', kind: 'Job' })
        .namespace('default');
      const maps = mapsOf(server);
      for (const name of ['kept', 'collected']) {
        const job = await jobs.create({ metadata: { name }, spec: { template: { spec } } });
        await maps.create({ metadata: { name: `of-${name}`, ownerReferences: [ownedBy(job)] } });
      }
      const remove = async (name: string, query = ''): Promise<readonly (string | null)[]> => {
        const path = `http://server/apis/batch/v1/namespaces/default/jobs${name}${query}`;
        const response = await server.fetch(new Request(path, { method: 'DELETE' }));
        return [String(response.status), response.headers.get('warning')];
      };
      const warning =
        '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';
      expect(await remove('/kept')).toEqual(['200', warning]);
      await settled(server, () => isGone(jobs, 'kept'));
      expect((await maps.get('of-kept')).metadata.ownerReferences).toBeUndefined();
      expect(await remove('/collected', '?propagationPolicy=Background')).toEqual(['200', null]);
      await settled(server, () => isGone(maps, 'of-collected'));
      expect(await remove('', '?propagationPolicy=Orphan')).toEqual(['200', null]);
      expect(await remove('', '?orphanDependents=false')).toEqual(['200', null]);
      expect(await remove('')).toEqual(['200', warning]);
    });
  },
);
