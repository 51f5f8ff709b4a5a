import { type AuthorizationAttributes, type Authorizer, StatusError, withMetadata } from '@ashlar/core';
import type { ApiServerOptions } from '@ashlar/server';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  MERGE_PATCH,
  prepare,
  toClauseServer,
} from '../clause-server.fixture.ts';

type AdmissionPlugin = NonNullable<ApiServerOptions['admission']>[number];

/** Adds a label to ConfigMaps that are created or updated. */
const marker: AdmissionPlugin = {
  name: 'Marker',
  handles: ({ resource, operation }) => resource.resource === 'configmaps' && operation !== 'DELETE',
  admit: ({ object }) => object && withMetadata(object, { labels: { marked: 'yes' } }),
};

/** Has a side effect, which a dry run must not cause. */
const counter: AdmissionPlugin = {
  name: 'Counter',
  handles: ({ resource }) => resource.resource === 'configmaps',
  validate: ({ dryRun }) => {
    if (dryRun) throw StatusError.badRequest('Counter has side effects');
  },
};

/** Everyone may read ConfigMaps, no one may write them. */
const readers: Authorizer = {
  authorize: ({ verb }: AuthorizationAttributes) => ({ decision: verb === 'get' ? 'allow' : 'no-opinion' }),
};

forEachVocabulary('Dry run', (test) => {
  test('R167: writes return what they would have stored, and store nothing', async ({ server }) => {
    const { metadata } = await server.configMap('x', { data: { key: 'old' } });
    const before = (await server.get(`${CONFIG_MAPS}/x`)).text;
    const body = { metadata: { name: 'x' }, data: { key: 'new' } };
    const answers = [
      await server.post(`${CONFIG_MAPS}?dryRun=All`, { ...body, metadata: { name: 'y' } }),
      await server.put(`${CONFIG_MAPS}/x?dryRun=All`, body),
      await server.patch(`${CONFIG_MAPS}/x?dryRun=All`, MERGE_PATCH, { data: { key: 'new' } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const answer of answers) expect(answer.body.data).toEqual({ key: 'new' });
    expect(await server.delete(`${CONFIG_MAPS}/x?dryRun=All`)).toMatchObject({
      status: 200,
      body: { status: 'Success', details: { uid: metadata.uid } },
    });
    expect((await server.get(`${CONFIG_MAPS}/x`)).text).toBe(before);
    expect(await server.get(`${CONFIG_MAPS}/y`)).toMatchObject({ status: 404 });
    const { resourceVersion } = (await server.get(CONFIG_MAPS)).body.metadata;
    expect(resourceVersion).toBe(metadata.resourceVersion);
  });

  test('R167: every stage runs: admission, defaults, schema and validation', async ({ vocabulary }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), admission: [marker] });
    await prepare(api);
    const server = toClauseServer(api);
    const dry = `${CONFIG_MAPS}?dryRun=All`;
    const made = await server.post(dry, { metadata: { name: 'x' } });
    expect(made.body.metadata.labels).toEqual({ marked: 'yes' });
    const secret = await server.post('/api/v1/namespaces/a/secrets?dryRun=All', { metadata: { name: 'x' } });
    expect(secret.body.type).toBe('Opaque');
    expect(await server.post(dry, { metadata: { name: 'No Name' } })).toMatchObject({ status: 422 });
    expect(await server.post(dry, { metadata: { name: 'x' }, data: 1 })).toMatchObject({ status: 400 });
    await server.configMap('y');
    expect(await server.post(dry, { metadata: { name: 'y' } })).toMatchObject({ status: 409 });
    const absent = '/api/v1/namespaces/none/configmaps?dryRun=All';
    expect(await server.post(absent, { metadata: { name: 'x' } })).toMatchObject({ status: 404 });
  });

  test('R168: a plugin with side effects can reject dry runs', async ({ vocabulary }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), admission: [counter] });
    await prepare(api);
    const server = toClauseServer(api);
    const refused = await server.post(`${CONFIG_MAPS}?dryRun=All`, { metadata: { name: 'x' } });
    expect(refused).toMatchObject({ status: 400, body: { message: 'Counter has side effects' } });
    expect(await server.post(CONFIG_MAPS, { metadata: { name: 'x' } })).toMatchObject({ status: 201 });
    expect(await server.delete(`${CONFIG_MAPS}/x?dryRun=All`)).toMatchObject({ status: 400 });
    expect(await server.delete(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
  });

  test('R169: a dry run needs the permissions of the real request', async ({ vocabulary }) => {
    await using api = await createTestServer({ ...clauseOptions(vocabulary), authorizer: () => readers });
    await prepare(api);
    const server = toClauseServer(api);
    const body = { metadata: { name: 'x' } };
    for (const query of ['', '?dryRun=All']) {
      expect(await server.post(`${CONFIG_MAPS}${query}`, body)).toMatchObject({ status: 403 });
      expect(await server.put(`${CONFIG_MAPS}/x${query}`, body)).toMatchObject({ status: 403 });
      expect(await server.delete(`${CONFIG_MAPS}/x${query}`)).toMatchObject({ status: 403 });
    }
  });

  test('R170: generated values differ in the real request', async ({ timed }) => {
    const body = { metadata: { generateName: 'x-' } };
    const { metadata: dry } = (await timed.post(`${CONFIG_MAPS}?dryRun=All`, body)).body;
    await timed.clock.advance(1000);
    const { metadata: real } = (await timed.post(CONFIG_MAPS, body)).body;
    for (const field of ['name', 'uid', 'creationTimestamp', 'resourceVersion'] as const) {
      expect(dry[field]).not.toBe(real[field]);
    }
    expect(dry.name).toMatch(/^x-/);
  });
});
