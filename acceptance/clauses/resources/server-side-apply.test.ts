import type { AuthorizationAttributes, Vocabulary } from '@ashlar/core';
import { createMemoryStore } from '@ashlar/storage';
import { createManualClock, createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  APPLY_PATCH,
  CHECKS,
  type ClauseServer,
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  JSON_PATCH,
  MERGE_PATCH,
  prepare,
  type Reply,
  SECRETS,
  toClauseServer,
  WIDGETS,
  type WireObject,
} from '../clause-server.fixture.ts';
import { customType, spec } from '../clause-types.fixture.ts';

const X = `${CONFIG_MAPS}/x`;
const configMap = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...metadata },
  data,
});

/** The owners of a field of `data`, sorted. */
function owners({ metadata }: WireObject, field: string): readonly string[] {
  const entries = (metadata.managedFields ?? []).filter(({ fieldsV1 }) => {
    const data = fieldsV1?.['f:data'] as object | undefined;
    return data && Object.hasOwn(data, `f:${field}`);
  });
  return entries.map(({ manager, operation }) => `${manager} ${operation}`).toSorted();
}

const apply = (server: ClauseServer, manager: string, data: object, query = ''): Promise<Reply> =>
  server.apply(X, manager, configMap(data), query);

forEachVocabulary('Server-side apply', (test) => {
  test('R151: an apply patch creates or updates, and accepts any JSON', async ({ server }) => {
    const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: "1"\n';
    const headers = { 'content-type': APPLY_PATCH };
    const created = await server.send('PATCH', `${X}?fieldManager=me`, { body: yaml, headers });
    expect(created).toMatchObject({ status: 201, body: { data: { a: '1' } } });
    const changed = await apply(server, 'me', { a: '2' });
    expect(changed).toMatchObject({ status: 200, body: { data: { a: '2' } } });
  });

  test('R156: a configuration needs a manager and no managed fields', async ({ server }) => {
    const headers = { 'content-type': APPLY_PATCH };
    const body = JSON.stringify(configMap({}));
    expect(await server.send('PATCH', X, { body, headers })).toMatchObject({ status: 422 });
    for (const managedFields of [[], [{}]]) {
      const sent = await server.apply(X, 'me', configMap({}, { managedFields }));
      expect(sent).toMatchObject({ status: 400, body: { message: 'metadata.managedFields must be nil' } });
    }
  });

  test('R156: a missing object is created with defaults, an existing one is merged', async ({ server }) => {
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, data: { a: 'MQ==' } };
    const created = await server.apply(`${SECRETS}/x`, 'me', secret);
    expect(created).toMatchObject({ status: 201, body: { type: 'Opaque' } });
    await server.configMap('x', { data: { a: '1' } });
    const merged = await apply(server, 'me', { b: '2' });
    expect(merged).toMatchObject({ status: 200, body: { data: { a: '1', b: '2' } } });
  });

  test('R157: equal values are shared, and a shared field can be given up', async ({ server }) => {
    await apply(server, 'one', { a: '1', b: '1' });
    const both = await apply(server, 'two', { a: '1' });
    expect(owners(both.body, 'a')).toEqual(['one Apply', 'two Apply']);
    const given = await apply(server, 'two', {});
    expect(given.body.data).toEqual({ a: '1', b: '1' });
    expect(owners(given.body, 'a')).toEqual(['one Apply']);
  });

  test('R157: a field that its last owner omits is removed, or defaulted', async ({ server }) => {
    await apply(server, 'one', { a: '1', b: '1' });
    expect((await apply(server, 'one', { a: '1' })).body.data).toEqual({ a: '1' });
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' } };
    const typed = await server.apply(`${SECRETS}/x`, 'one', { ...secret, type: 'Opaque' });
    expect(typed.status).toBe(201);
    expect((await server.apply(`${SECRETS}/x`, 'one', secret)).body.type).toBe('Opaque');
  });

  test("R158: another value for another manager's field is a conflict", async ({ server }) => {
    await apply(server, 'one', { a: '1' });
    const refused = await apply(server, 'two', { a: '2' });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        reason: 'Conflict',
        details: { causes: [{ reason: 'FieldManagerConflict', field: '.data.a' }] },
      },
    });
    expect((await server.get(X)).body.data).toEqual({ a: '1' });
  });

  test('R158: a conflict is resolved by force, by omission or by agreement', async ({ server }) => {
    await apply(server, 'one', { a: '1' });
    expect(await apply(server, 'two', { b: '1' })).toMatchObject({ status: 200 });
    const agreed = await apply(server, 'two', { a: '1', b: '1' });
    expect(owners(agreed.body, 'a')).toEqual(['one Apply', 'two Apply']);
    const forced = await apply(server, 'two', { a: '2' }, '&force=true');
    expect(forced).toMatchObject({ status: 200, body: { data: { a: '2' } } });
    expect(owners(forced.body, 'a')).toEqual(['two Apply']);
  });

  test('R159: other writes never conflict, and take ownership of changed fields', async ({ server }) => {
    await apply(server, 'one', { a: '1', b: '1', c: '1' });
    const patched = await server.patch(`${X}?fieldManager=two`, MERGE_PATCH, { data: { a: '2' } });
    expect(patched.status).toBe(200);
    expect(owners(patched.body, 'a')).toEqual(['two Update']);
    const agent = { 'user-agent': 'three/1.0 (linux)', 'content-type': 'application/json' };
    const body = JSON.stringify(configMap({ a: '2', b: '3', c: '1' }));
    const put = (await server.send('PUT', X, { body, headers: agent })).body;
    expect(['a', 'b', 'c'].map((field) => owners(put, field))).toEqual([
      ['two Update'],
      ['three Update'],
      ['one Apply'],
    ]);
  });

  test('R160: values of the configuration win, fields applied before and now omitted are removed', async ({
    server,
  }) => {
    await server.configMap('x', { data: { a: '1', b: '1' } });
    await apply(server, 'me', { c: '1', d: '1' });
    await apply(server, 'other', { d: '1' });
    const { body } = await apply(server, 'me', { b: '2' }, '&force=true');
    expect(body.data).toEqual({ a: '1', b: '2', d: '1' });
  });

  test('R161: applying needs the permission to patch, and to create a missing object', async ({
    vocabulary,
  }) => {
    const rights = new Set(['get', 'patch']);
    const authorize = ({ verb }: AuthorizationAttributes) => ({
      decision: rights.has(verb) ? ('allow' as const) : ('no-opinion' as const),
    });
    await using api = await createTestServer({
      ...clauseOptions(vocabulary),
      authorizer: () => ({ authorize }),
    });
    await prepare(api);
    const server = toClauseServer(api);
    expect(await apply(server, 'me', { a: '1' })).toMatchObject({ status: 403 });
    rights.add('create');
    expect(await apply(server, 'me', { a: '1' })).toMatchObject({ status: 201 });
    rights.delete('create');
    expect(await apply(server, 'me', { a: '2' })).toMatchObject({ status: 200 });
    rights.delete('patch');
    expect(await apply(server, 'me', { a: '3' })).toMatchObject({ status: 403 });
  });

  test('R162: a list with one empty entry clears managed fields, an empty list does not', async ({
    server,
  }) => {
    await apply(server, 'one', { a: '1' });
    const patched = async (value: unknown): Promise<unknown> =>
      (await server.patch(X, MERGE_PATCH, { metadata: { managedFields: value } })).body.metadata
        .managedFields;
    expect(await patched([])).toMatchObject([{ manager: 'one' }]);
    expect(await patched([{}])).toBeUndefined();
    await apply(server, 'one', { a: '1' });
    const reset = [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }];
    expect((await server.patch(X, JSON_PATCH, reset)).body.metadata.managedFields).toBeUndefined();
  });

  test('R162: a write that clears managed fields owns its other changes', async ({ server }) => {
    await apply(server, 'one', { a: '1', b: '1' });
    const change = { metadata: { managedFields: [{}] }, data: { b: '2' } };
    const { body } = await server.patch(`${X}?fieldManager=two`, MERGE_PATCH, change);
    expect(owners(body, 'b')).toEqual(['two Update']);
    expect(owners(body, 'a')).toEqual([]);
  });

  test('R163: a controller applies with force and without reading', async ({ server }) => {
    const maps = server.api.client
      .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
      .namespace('a');
    const reconcile = (a: string) =>
      maps.apply({ metadata: { name: 'x' }, data: { a } }, { fieldManager: 'controller', force: true });
    expect(await reconcile('1')).toMatchObject({ data: { a: '1' } });
    await server.patch(X, MERGE_PATCH, { data: { a: 'theirs', b: 'theirs' } });
    expect(await reconcile('1')).toMatchObject({ data: { a: '1', b: 'theirs' } });
    const { metadata } = await reconcile('1');
    expect((await reconcile('1')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  });

  test('R164: ownership is transferred through a temporary manager', async ({ server }) => {
    await apply(server, 'user', { a: '1', size: '3' });
    await apply(server, 'handover', { size: '3' });
    const left = await apply(server, 'user', { a: '1' });
    expect(left.body.data).toEqual({ a: '1', size: '3' });
    const accepted = await server.patch(`${X}?fieldManager=scaler`, MERGE_PATCH, { data: { size: '5' } });
    expect(owners(accepted.body, 'size')).toEqual(['scaler Update']);
    expect(accepted.body.metadata.managedFields.map(({ manager }) => manager)).not.toContain('handover');
  });

  test('R165: fields of client-side apply are migrated without conflict', async ({ server, vocabulary }) => {
    const { clientName } = vocabulary;
    const edited = async (manager: string): Promise<number> => {
      await appliedByClient(server, vocabulary, { a: '1', b: '1' });
      const { status } = await apply(server, manager, { a: '2' });
      await server.delete(X);
      return status;
    };
    expect(await edited(clientName)).toBe(200);
    expect(await edited('somebody')).toBe(409);
    await appliedByClient(server, vocabulary, { a: '1' });
    await server.patch(`${X}?fieldManager=other`, MERGE_PATCH, { data: { b: '1' } });
    expect(await apply(server, clientName, { a: '1', b: '2' })).toMatchObject({ status: 409 });
  });

  test('R166: a field that becomes atomic is owned by all owners of its parts', async ({ vocabulary }) => {
    await using world = await twoTopologies(vocabulary);
    const { granular, atomic } = world;
    await granular.apply(`${WIDGETS}/x`, 'one', widget({ options: { a: '1' } }));
    await granular.apply(`${WIDGETS}/x`, 'two', widget({ options: { b: '2' } }));
    const whole = { options: { a: '1', b: '2', c: '3' } };
    const refused = await atomic.apply(`${WIDGETS}/x`, 'one', widget(whole));
    expect(refused).toMatchObject({
      status: 409,
      body: { details: { causes: [{ field: '.spec.options' }] } },
    });
  });

  test('R166: a field that becomes granular causes no conflicts', async ({ vocabulary }) => {
    await using world = await twoTopologies(vocabulary);
    const { granular, atomic } = world;
    await atomic.apply(`${WIDGETS}/x`, 'one', widget({ options: { a: '1' } }));
    const { status, body } = await granular.apply(`${WIDGETS}/x`, 'two', widget({ options: { a: '2' } }));
    expect({ status, spec: body.spec }).toEqual({ status: 200, spec: { options: { a: '2' } } });
  });

  test('R155: one apply creates or updates, but only objects', async ({ server }) => {
    const replies = await Promise.all(['1', '2', '3'].map((i) => apply(server, `m${i}`, { [`k${i}`]: i })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 201]);
    expect((await server.get(X)).body.data).toEqual({ k1: '1', k2: '2', k3: '3' });
    const question = { apiVersion: 'example.com/v1', kind: 'Check', metadata: { name: 'x' } };
    expect((await server.apply(`${CHECKS}/x`, 'me', question)).status).toBe(404);
  });

  test('R103: fieldManager names the manager, and is required for an apply', async ({ server }) => {
    const body = { metadata: { name: 'x' }, data: { a: '1' } };
    const made = (await server.post(`${CONFIG_MAPS}?fieldManager=maker`, body)).body;
    expect(owners(made, 'a')).toEqual(['maker Update']);
    const put = (await server.put(`${X}?fieldManager=putter`, { ...body, data: { a: '2' } })).body;
    expect(owners(put, 'a')).toEqual(['putter Update']);
    const patched = await server.patch(`${X}?fieldManager=patcher`, MERGE_PATCH, { data: { a: '3' } });
    expect(owners(patched.body, 'a')).toEqual(['patcher Update']);
    expect(await server.patch(X, APPLY_PATCH, configMap({ a: '4' }))).toMatchObject({ status: 422 });
    const long = 'x'.repeat(129);
    expect(await server.post(`${CONFIG_MAPS}?fieldManager=${long}`, body)).toMatchObject({ status: 422 });
  });

  test('R104: force overrides conflicts, and is for applies only', async ({ server }) => {
    await apply(server, 'one', { a: '1' });
    expect(await apply(server, 'two', { a: '2' }, '&force=false')).toMatchObject({ status: 409 });
    expect(await apply(server, 'two', { a: '2' }, '&force=true')).toMatchObject({ status: 200 });
    const merge = await server.patch(`${X}?force=true`, MERGE_PATCH, { data: { a: '3' } });
    expect(merge).toMatchObject({ status: 422 });
  });

  test('R189: an apply conflict names managers and fields', async ({ server }) => {
    await apply(server, 'one', { a: '1', b: '1' });
    await server.patch(`${X}?fieldManager=two`, MERGE_PATCH, { data: { c: '1' } });
    const refused = await apply(server, 'three', { a: '2', b: '2', c: '2' });
    expect(refused).toMatchObject({ status: 409, body: { kind: 'Status', reason: 'Conflict' } });
    expect(refused.body.message).toContain('Apply failed with 3 conflicts');
    const cause = (who: string, field: string) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${who}`,
      field,
    });
    expect(refused.body.details).toEqual({
      causes: [cause('"one"', '.data.a'), cause('"one"', '.data.b'), cause('"two" using v1', '.data.c')],
    });
  });
});

const widget = (fields: object) => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name: 'x' },
  spec: fields,
});

/** Client-side apply: it stores the last configuration in an annotation. */
async function appliedByClient(server: ClauseServer, vocabulary: Vocabulary, data: object): Promise<void> {
  const { clientName, labelDomain } = vocabulary;
  const annotation = `${clientName}.${labelDomain}/last-applied-configuration`;
  const annotations = { [annotation]: JSON.stringify(configMap(data)) };
  const path = `${CONFIG_MAPS}?fieldManager=${clientName}-client-side-apply`;
  await server.post(path, configMap(data, { annotations }));
}

/** Two servers over one store whose widgets differ in `options`: granular or atomic. */
async function twoTopologies(vocabulary: Vocabulary) {
  const storage = createMemoryStore({ clock: createManualClock() });
  const serverOf = async (mapType: 'granular' | 'atomic') => {
    const properties = { ...spec, options: { ...spec.options, mapType } };
    const resources = [customType('Widget', { properties })];
    return createTestServer({ ...clauseOptions(vocabulary), resources, storage });
  };
  const granular = await serverOf('granular');
  const atomic = await serverOf('atomic');
  await prepare(granular);
  return {
    granular: toClauseServer(granular),
    atomic: toClauseServer(atomic),
    async [Symbol.asyncDispose]() {
      await granular.close();
      await atomic.close();
    },
  };
}
