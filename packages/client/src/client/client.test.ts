import { type ApiObject, orchVocabulary, StatusError } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createManualAmbient } from '../manual-ambient.fixture.ts';
import { createClient } from './client.ts';
import { FakeApi, jsonResponse, textResponse } from './fake-api.fixture.ts';
import { withQuery } from './query.ts';
import { resourcePath } from './resource-path.ts';

interface Thing extends ApiObject {
  readonly value: string;
}

const THINGS = { group: '', version: 'v1', resource: 'things', kind: 'Thing' };

function setUp() {
  const api = new FakeApi();
  const ambient = createManualAmbient();
  const client = createClient({ transport: api, baseUrl: 'http://server/', ambient });
  return { api, ambient, client, things: client.resource<Thing>(THINGS) };
}

describe('a client of a resource', () => {
  it('creates, reads, replaces and deletes, in a namespace', async () => {
    const { api, things } = setUp();
    const here = things.namespace('ns');
    const made = await here.create({ metadata: { name: 'a' }, value: 'one' });
    expect(made.value).toBe('one');
    expect((await here.get('a')).metadata.resourceVersion).toBe(made.metadata.resourceVersion);
    await here.update({ ...made, value: 'two' });
    expect((await here.get('a')).value).toBe('two');
    expect(await here.delete('a')).toMatchObject({ kind: 'Status', status: 'Success' });
    expect(api.seen.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /api/v1/namespaces/ns/things',
      'GET /api/v1/namespaces/ns/things/a',
      'PUT /api/v1/namespaces/ns/things/a',
      'GET /api/v1/namespaces/ns/things/a',
      'DELETE /api/v1/namespaces/ns/things/a',
    ]);
    expect(api.seen[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'Thing',
      metadata: { name: 'a' },
      value: 'one',
    });
    expect(api.seen[4]?.body).toBeUndefined();
  });

  it('takes the namespace from objects if it is bound to none', async () => {
    const { api, things } = setUp();
    const made = await things.create({ metadata: { name: 'a', namespace: 'other' }, value: '' });
    await things.update(made);
    await things.apply({ metadata: { name: 'a', namespace: 'other' } }, { fieldManager: 'm', force: true });
    expect(api.seen.map(({ path }) => path)).toEqual([
      '/api/v1/namespaces/other/things',
      '/api/v1/namespaces/other/things/a',
      '/api/v1/namespaces/other/things/a',
    ]);
    expect(String(api.seen[2]?.query)).toBe('fieldManager=m&force=true');
  });

  it('sends each kind of patch with its media type', async () => {
    const { api, things } = setUp();
    const here = things.namespace('ns');
    await here.patch('a', { type: 'merge', patch: { value: 'x' } });
    await here.patch('a', { type: 'strategic', patch: {} }, { dryRun: ['All'] });
    await here.patch('a', { type: 'json', patch: [{ op: 'remove', path: '/value' }] });
    await here.apply({ metadata: { name: 'a' } }, { fieldManager: 'm' });
    await here.status.patch('a', { type: 'merge', patch: {} });
    await here.subresource('scale').patch('a', { type: 'merge', patch: {} });
    const root = '/api/v1/namespaces/ns/things/a';
    expect(api.seen.map(({ path, headers }) => [path, headers?.['content-type']])).toEqual([
      [root, 'application/merge-patch+json'],
      [root, 'application/strategic-merge-patch+json'],
      [root, 'application/json-patch+json'],
      [root, 'application/apply-patch+yaml'],
      [`${root}/status`, 'application/merge-patch+json'],
      [`${root}/scale`, 'application/merge-patch+json'],
    ]);
  });

  it('sends options of deletes in the body', async () => {
    const { api, things } = setUp();
    const here = things.namespace('ns');
    api.put('a');
    await here.delete('a', { propagationPolicy: 'Orphan', preconditions: { uid: 'u' } });
    await here.deleteCollection({ labelSelector: 'a=b' }, { gracePeriodSeconds: 0 });
    expect(api.seen[0]?.body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      propagationPolicy: 'Orphan',
      preconditions: { uid: 'u' },
    });
    expect(String(api.seen[1]?.query)).toBe('labelSelector=a%3Db');
    expect(api.seen[1]?.body).toMatchObject({ gracePeriodSeconds: 0 });
  });

  it('rejects options of deletes that do not exist, which a server would ignore', async () => {
    const { api, things } = setUp();
    const mistyped = { propagationpolicy: 'Foreground' } as object;
    await expect(things.delete('a', mistyped)).rejects.toThrow(
      'things.delete has no option "propagationpolicy": did you mean "propagationPolicy"?',
    );
    await expect(things.deleteCollection(undefined, mistyped)).rejects.toThrow('has no option');
    await expect(things.deleteCollection({ labels: 'a=b' } as object)).rejects.toThrow(
      'things.deleteCollection has no option "labels"',
    );
    await expect(things.subresource('scale').create('a', {}, mistyped)).rejects.toThrow(
      'things.scale.create has no option',
    );
    expect(api.seen).toEqual([]);
  });

  it('lists page by page, all of one version, and sets the type of items', async () => {
    const { api, things } = setUp();
    for (const name of 'abcde') api.put(name);
    const names: string[] = [];
    for await (const thing of things.all({ limit: 2 })) {
      names.push(`${thing.kind}/${thing.metadata.name}`);
      // concurrent writes belong to a later version
      api.put(`later-${names.length}`);
    }
    expect(names).toEqual(['Thing/a', 'Thing/b', 'Thing/c', 'Thing/d', 'Thing/e']);
    expect(api.seen.map(({ query }) => query.get('limit'))).toEqual(['2', '2', '2']);
    const page = await things.list({ limit: 1 });
    expect(page.metadata.continue).toBeDefined();
    expect((await things.list()).items).toHaveLength(10);
  });

  it('throws the Status of the server', async () => {
    const { things, client } = setUp();
    await expect(things.namespace('ns').get('nobody')).rejects.toSatisfy((error) =>
      StatusError.is(error, 'NotFound'),
    );
    const nowhere = client.request({ method: 'GET', path: '/elsewhere' });
    await expect(nowhere).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: '404 page not found',
    });
  });

  it.each([
    [418, '', '', 'the server answered 418'],
    [500, 'oops\n', 'InternalError', 'oops'],
    [503, '{"kind":"Other"}', 'ServiceUnavailable', '{"kind":"Other"}'],
    [502, '<html>', '', '<html>'],
  ])('creates an error from a response %i without a Status', async (code, text, reason, message) => {
    const { api, client } = setUp();
    api.instead.push(() => textResponse(text, code));
    await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code,
      reason,
      message,
    });
  });

  it('rejects names that lead to other paths', async () => {
    const { api, things } = setUp();
    for (const name of ['', '.', '..'])
      await expect(things.namespace('ns').get(name)).rejects.toThrow(TypeError);
    await expect(things.namespace('..').get('a')).rejects.toThrow(TypeError);
    await things
      .namespace('ns')
      .get('a/../b')
      .catch(() => {});
    expect(api.seen.map(({ path }) => path)).toEqual(['/api/v1/namespaces/ns/things/a%2F..%2Fb']);
  });

  it('retries after the time that the server names, no more often than configured', async () => {
    const { api, ambient, things } = setUp();
    api.put('a');
    const busy = (): ReturnType<typeof textResponse> =>
      textResponse('Too many requests', 429, { 'retry-after': '2' });
    api.instead.push(busy, busy);
    const result = things.namespace('ns').get('a');
    await ambient.advance(1999);
    expect(api.seen).toHaveLength(1);
    await ambient.advance(2001);
    expect((await result).metadata.name).toBe('a');
    expect(api.seen).toHaveLength(3);
  });

  it('gives up in the end, and immediately without a Retry-After', async () => {
    const { api, ambient } = setUp();
    const few = createClient({ transport: api, baseUrl: 'http://server', ambient, maximumRetries: 1 });
    const busy = (): ReturnType<typeof textResponse> => jsonResponse({}, 429, { 'retry-after': '1' });
    api.instead.push(busy, busy, () => jsonResponse({}, 429));
    const response = few.request({ method: 'GET', path: '/' });
    const refused = expect(response).rejects.toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } });
    await ambient.advance(1000);
    await refused;
    await expect(few.request({ method: 'GET', path: '/' })).rejects.toMatchObject({ code: 429 });
    expect(api.seen).toHaveLength(3);
  });

  it('sends its token, read anew each time, and its headers', async () => {
    const api = new FakeApi();
    let count = 0;
    const client = createClient({
      transport: api,
      baseUrl: 'http://server/prefix//',
      ambient: createManualAmbient(),
      token: async () => `t${++count}`,
      headers: { 'impersonate-group': ['a', 'b'] },
    });
    for (let i = 0; i < 2; i++) await client.request({ method: 'GET', path: '/x' }).catch(() => {});
    expect(api.seen.map(({ path, headers }) => [path, headers])).toEqual(
      ['t1', 't2'].map((token) => [
        '/prefix/x',
        { accept: 'application/json', 'impersonate-group': ['a', 'b'], authorization: `Bearer ${token}` },
      ]),
    );
  });

  it('completes groups of the vocabulary', async () => {
    const api = new FakeApi();
    const ambient = { ...createManualAmbient(), vocabulary: orchVocabulary };
    const client = createClient({ transport: api, baseUrl: 'http://server', ambient });
    const leases = { version: 'v1', resource: 'leases' };
    for (const group of ['coordination.', 'apps'])
      await client
        .resource({ ...leases, group })
        .list()
        .catch(() => {});
    expect(api.seen.map(({ path }) => path).filter((path) => path.endsWith('/leases'))).toEqual([
      '/apis/coordination.orch.io/v1/leases',
      '/apis/apps/v1/leases',
    ]);
  });
});

describe('paths and parameters', () => {
  it('round-trip', () => {
    const segment = fc.string({ minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(segment, segment, (namespace, name) => {
        const path = resourcePath({ group: 'g', version: 'v1', resource: 'r' }, namespace, name);
        const { pathname } = new URL(`http://h${path}`);
        const segments = pathname.split('/').map(decodeURIComponent);
        expect(segments).toEqual(['', 'apis', 'g', 'v1', 'namespaces', namespace, 'r', name]);
      }),
    );
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.string()), (one, many) => {
        const { searchParams } = new URL(
          `http://h${withQuery('/', { one, many, none: undefined, empty: '' })}`,
        );
        expect([searchParams.get('one'), searchParams.getAll('many')]).toEqual([one, many]);
        expect([searchParams.has('none'), searchParams.has('empty')]).toEqual([false, false]);
      }),
    );
  });
});
