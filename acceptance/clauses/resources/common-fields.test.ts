import { expect } from 'vitest';
import {
  APPLY_PATCH,
  CHECKS,
  CONFIG_MAPS,
  forEachVocabulary,
  GADGETS,
  MERGE_PATCH,
} from '../clause-server.fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

forEachVocabulary('Common fields of every object', (test) => {
  test('R023: apiVersion is the version, behind the name of its group', async ({ server, vocabulary }) => {
    expect((await server.configMap('x')).apiVersion).toBe('v1');
    const group = `coordination.${vocabulary.groupDomain}`;
    const lease = await server.post(`/apis/${group}/v1/namespaces/a/leases`, { metadata: { name: 'x' } });
    expect(lease.body.apiVersion).toBe(`${group}/v1`);
    const foreign = { apiVersion: 'v2', kind: 'ConfigMap', metadata: { name: 'y' } };
    expect(await server.post(CONFIG_MAPS, foreign)).toMatchObject({ status: 400 });
  });

  test('R024: kind names the schema of an object', async ({ server, vocabulary }) => {
    expect((await server.configMap('x')).kind).toBe('ConfigMap');
    expect((await server.get('/api/v1/namespaces/a')).body.kind).toBe('Namespace');
    const leases = `/apis/coordination.${vocabulary.groupDomain}/v1/namespaces/a/leases`;
    expect((await server.post(leases, { metadata: { name: 'x' } })).body.kind).toBe('Lease');
  });

  test('R025: metadata.name is what an object is called', async ({ server }) => {
    expect((await server.configMap('x')).metadata.name).toBe('x');
    expect((await server.get(`${CONFIG_MAPS}/x`)).body.metadata.name).toBe('x');
    const renamed = await server.put(`${CONFIG_MAPS}/x`, { metadata: { name: 'y' } });
    expect(renamed.status).toBe(400);
  });

  test('R026: metadata.generateName begins names that the server makes', async ({ server }) => {
    const names = new Set<string>();
    for (let time = 0; time < 3; time++) {
      const { status, body } = await server.post(CONFIG_MAPS, { metadata: { generateName: 'x-' } });
      expect(status).toBe(201);
      expect(body.metadata.name).toMatch(/^x-[a-z0-9]{5}$/);
      names.add(body.metadata.name);
    }
    expect(names.size).toBe(3);
    const named = await server.configMap('y', { metadata: { generateName: 'x-' } });
    expect(named.metadata.name).toBe('y');
  });

  test('R027: metadata.namespace is the namespace of an object', async ({ server }) => {
    expect((await server.configMap('x')).metadata.namespace).toBe('a');
    const elsewhere = { metadata: { name: 'y', namespace: 'b' } };
    expect(await server.post(CONFIG_MAPS, elsewhere)).toMatchObject({ status: 400 });
  });

  test('R028: metadata.uid is made by the server, another one each time', async ({ server }) => {
    const wanted = '00000000-0000-4000-8000-000000000000';
    const first = await server.configMap('x', { metadata: { uid: wanted } });
    expect(first.metadata.uid).toMatch(UUID);
    expect(first.metadata.uid).not.toBe(wanted);
    await server.delete(`${CONFIG_MAPS}/x`);
    expect((await server.configMap('x')).metadata.uid).not.toBe(first.metadata.uid);
  });

  test('R029: metadata.resourceVersion is the version of the last change', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    expect(metadata.resourceVersion).toEqual(expect.any(String));
    await server.configMap('y');
    const unchanged = await server.get(`${CONFIG_MAPS}/x`);
    expect(unchanged.body.metadata.resourceVersion).toBe(metadata.resourceVersion);
    const changed = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect(changed.body.metadata.resourceVersion).not.toBe(metadata.resourceVersion);
    const same = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect(same.body.metadata.resourceVersion).toBe(changed.body.metadata.resourceVersion);
  });

  test('R030: metadata.creationTimestamp is when an object was made', async ({ timed }) => {
    await timed.clock.advance(90_000);
    const made = await timed.configMap('x', { metadata: { creationTimestamp: '1999-01-01T00:00:00Z' } });
    expect(made.metadata.creationTimestamp).toBe('2001-01-01T00:01:30Z');
    await timed.clock.advance(1000);
    const changed = await timed.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect(changed.body.metadata.creationTimestamp).toBe('2001-01-01T00:01:30Z');
  });

  test('R031: metadata.deletionTimestamp is when deletion was first asked for', async ({ timed }) => {
    await timed.configMap('x', { metadata: { finalizers: ['example.com/held'] } });
    await timed.clock.advance(5000);
    const first = await timed.delete(`${CONFIG_MAPS}/x`);
    expect(first.body.metadata.deletionTimestamp).toBe('2001-01-01T00:00:05Z');
    await timed.clock.advance(5000);
    const second = await timed.delete(`${CONFIG_MAPS}/x`);
    expect(second.body.metadata.deletionTimestamp).toBe('2001-01-01T00:00:05Z');
    const free = { metadata: { name: 'y', deletionTimestamp: '2001-01-01T00:00:00Z' } };
    expect((await timed.post(CONFIG_MAPS, free)).body.metadata).not.toHaveProperty('deletionTimestamp');
  });

  test('R032: metadata.finalizers may be reordered, and removed in any order', async ({ server }) => {
    const finalizers = ['example.com/a', 'example.com/b', 'example.com/c'];
    await server.configMap('x', { metadata: { finalizers } });
    const patched = async (wanted: readonly string[]): Promise<unknown> =>
      (await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { metadata: { finalizers: wanted } })).body
        .metadata.finalizers;
    const reversed = finalizers.toReversed();
    expect(await patched(reversed)).toEqual(reversed);
    await server.delete(`${CONFIG_MAPS}/x`);
    expect(await patched(['example.com/c', 'example.com/a'])).toEqual(['example.com/c', 'example.com/a']);
    expect(await patched(['example.com/a'])).toEqual(['example.com/a']);
  });

  test('R033: metadata.labels and metadata.annotations map strings to strings', async ({ server }) => {
    const maps = { labels: { app: 'shop' }, annotations: { 'example.com/note': 'two words' } };
    expect((await server.configMap('x', { metadata: maps })).metadata).toMatchObject(maps);
    for (const field of ['labels', 'annotations']) {
      const number = { metadata: { name: 'y', [field]: { app: 1 } } };
      expect(await server.post(CONFIG_MAPS, number)).toMatchObject({ status: 400 });
    }
  });

  test('R035: system fields have the formats of UUIDs, timestamps and numbers', async ({ server }) => {
    const gadget = { apiVersion: 'example.com/v1', kind: 'Gadget', metadata: { name: 'x' } };
    for (const { metadata } of [await server.configMap('x'), (await server.post(GADGETS, gadget)).body]) {
      expect(metadata.uid).toMatch(UUID);
      expect(metadata.creationTimestamp).toMatch(TIMESTAMP);
      expect(metadata.resourceVersion).toMatch(/^[1-9]\d*$/);
    }
    expect((await server.get(`${GADGETS}/x`)).body.metadata.generation).toBe(1);
  });

  test('R036: what is not an object has no metadata and cannot be applied', async ({ server }) => {
    const { kind, metadata } = (await server.get('/api/v1')).body;
    expect({ kind, metadata }).toEqual({ kind: 'APIResourceList', metadata: undefined });
    const question = { apiVersion: 'example.com/v1', kind: 'Check', metadata: { name: 'x' } };
    const applied = await server.patch(`${CHECKS}/x?fieldManager=tester`, APPLY_PATCH, question);
    expect(applied.status).toBe(404);
  });
});
