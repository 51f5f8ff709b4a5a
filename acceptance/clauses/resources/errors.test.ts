import type {
  Authentication,
  AuthorizationAttributes,
  AuthorizationDecision,
  ServerRequest,
} from '@ashlar/core';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  MERGE_PATCH,
  SECRETS,
  toClauseServer,
} from '../clause-server.fixture.ts';

forEachVocabulary('Errors', (test) => {
  test('R184: strict validation returns 400 for unknown and repeated fields', async ({ server }) => {
    const unknown = { metadata: { name: 'x' }, colour: 'red' };
    const refused = await server.post(`${CONFIG_MAPS}?fieldValidation=Strict`, unknown);
    expect(refused).toMatchObject({ status: 400, body: { reason: 'BadRequest' } });
    expect(refused.body.message).toContain('unknown field "colour"');
    const repeated = await server.send('POST', `${CONFIG_MAPS}?fieldValidation=Strict`, {
      body: '{"metadata":{"name":"x"},"data":{"a":"b"},"data":{"a":"c"}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(repeated.status).toBe(400);
    expect(repeated.body.message).toContain('duplicate field "data"');
  });

  test('R184: values of the wrong type return 400', async ({ server }) => {
    for (const body of [
      { metadata: { name: 'x' }, data: 'text' },
      { metadata: { name: 'x' }, data: { key: 1 } },
      { metadata: 'x' },
    ]) {
      expect(await server.post(CONFIG_MAPS, body)).toMatchObject({ status: 400 });
    }
    const notBase64 = { metadata: { name: 'x' }, data: { key: '%%%' } };
    expect(await server.post(SECRETS, notBase64)).toMatchObject({ status: 400 });
  });

  test('R184: a continue token cannot be combined with a resourceVersion', async ({ server }) => {
    for (const name of ['x', 'y']) await server.configMap(name);
    const { metadata } = (await server.get(`${CONFIG_MAPS}?limit=1`)).body;
    const next = `${CONFIG_MAPS}?limit=1&continue=${metadata.continue}`;
    expect(await server.get(`${next}&resourceVersion=${metadata.resourceVersion}`)).toMatchObject({
      status: 400,
      body: { message: 'specifying resource version is not allowed when using continue' },
    });
    expect(await server.get(`${next}&resourceVersion=0`)).toMatchObject({ status: 200 });
  });

  test('R185: an Accept header without a supported type returns 406', async ({ server }) => {
    expect(await server.get(CONFIG_MAPS, { accept: 'text/html' })).toMatchObject({
      status: 406,
      body: { reason: 'NotAcceptable' },
    });
  });

  test('R186: a PUT of an older version returns 409', async ({ server }) => {
    const old = await server.configMap('x');
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'theirs' } });
    const stale = await server.put(`${CONFIG_MAPS}/x`, { ...old, data: { key: 'mine' } });
    expect(stale).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect((await server.get(`${CONFIG_MAPS}/x`)).body.data).toEqual({ key: 'theirs' });
  });

  test('R187: a compacted version returns 410', async ({ timed }) => {
    for (const name of ['x', 'y']) await timed.configMap(name);
    const { metadata } = (await timed.get(`${CONFIG_MAPS}?limit=1`)).body;
    const exact = `${CONFIG_MAPS}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=Exact`;
    expect(await timed.get(exact)).toMatchObject({ status: 200 });
    await timed.configMap('z');
    await timed.clock.advance(300_001);
    expect(await timed.get(exact)).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    expect(await timed.get(`${CONFIG_MAPS}?limit=1&continue=${metadata.continue}`)).toMatchObject({
      status: 410,
      body: { reason: 'Expired' },
    });
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    expect(await watch.next()).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    expect(await watch.next()).toBeUndefined();
  });

  test('R188: a version that is not reached returns 504', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const future = Number(metadata.resourceVersion) + 100;
    for (const path of [`${CONFIG_MAPS}/x`, CONFIG_MAPS]) {
      const refused = await timed.waitFor(timed.get(`${path}?resourceVersion=${future}`));
      expect(refused).toMatchObject({ status: 504, body: { reason: 'Timeout' } });
      expect(refused.body.message).toContain('Too large resource version');
      expect(refused.headers.get('retry-after')).toBe('1');
    }
  });

  test('R188: a version that is reached in time is waited for', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const next = Number(metadata.resourceVersion) + 1;
    const pending = timed.get(`${CONFIG_MAPS}?resourceVersion=${next}`);
    await timed.configMap('y');
    const { status, body } = await timed.waitFor(pending);
    expect(status).toBe(200);
    expect(body.items.map(({ metadata: { name } }) => name)).toEqual(['x', 'y']);
  });

  test('R191: an invalid object is rejected, with a cause for each error', async ({ server }) => {
    const refused = await server.post(CONFIG_MAPS, { metadata: { name: 'X_', labels: { 'a b': 'c' } } });
    expect(refused).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
    const { causes } = refused.body.details as { causes: { field: string }[] };
    expect(causes.map(({ field }) => field)).toEqual(['metadata.name', 'metadata.labels']);
    expect(await server.get(`${CONFIG_MAPS}/X_`)).toMatchObject({ status: 404 });
  });

  test('R192: unauthenticated callers get 401, callers without permission 403', async ({ vocabulary }) => {
    const user = { name: 'reader', groups: [] };
    const authenticate = ({ headers }: ServerRequest): Authentication =>
      headers.get('authorization') === 'Bearer reader'
        ? { outcome: 'authenticated', user }
        : { outcome: 'rejected', error: new Error('unknown token') };
    const authorize = ({ verb }: AuthorizationAttributes): AuthorizationDecision => ({
      decision: verb === 'get' ? 'allow' : 'no-opinion',
    });
    const access = { authenticator: () => ({ authenticate }), authorizer: () => ({ authorize }) };
    await using api = await createTestServer({ ...clauseOptions(vocabulary), ...access });
    const server = toClauseServer(api);
    const path = '/api/v1/namespaces/default';
    const reader = { authorization: 'Bearer reader' };
    expect(await server.get(path, reader)).toMatchObject({ status: 200 });
    for (const headers of [{ authorization: 'Bearer other' }, {}]) {
      expect(await server.get(path, headers)).toMatchObject({
        status: 401,
        body: { reason: 'Unauthorized' },
      });
    }
    const refused = await server.get('/api/v1/namespaces', reader);
    expect(refused).toMatchObject({ status: 403, body: { reason: 'Forbidden' } });
    expect(refused.body.message).toContain('User "reader" cannot list resource "namespaces"');
  });

  test('R193: an error is returned as a Status with its code', async ({ server }) => {
    const missing = await server.get(`${CONFIG_MAPS}/x`);
    expect(missing.body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "x" not found',
      reason: 'NotFound',
      details: { name: 'x', kind: 'configmaps' },
      code: 404,
    });
    const conflicting = await server.get(`${CONFIG_MAPS}?resourceVersionMatch=Exact`);
    expect(conflicting).toMatchObject({ status: 422, body: { reason: 'Invalid', code: 422 } });
  });
});
