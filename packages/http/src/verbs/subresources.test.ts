import {
  type ApiObject,
  FieldErrors,
  orchVocabulary,
  partialObjectMetadataSchema,
  type Schema,
  StatusError,
  successStatus,
} from '@ashlar/core';
import type {
  ActionSubresource,
  ConnectionTarget,
  ConnectSubresource,
  ResourceDefinition,
  ViewSubresource,
} from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, type TestApiOptions } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';
import type { ConnectRequest } from './connect-handler.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const MERGE = { 'content-type': 'application/merge-patch+json' };
const APPLY = { 'content-type': 'application/apply-patch+yaml' };

interface Note extends ApiObject {
  readonly text?: string;
}
interface Length extends ApiObject {
  readonly length?: number;
}

const withMetadata = (more: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  typeName: 'test.Length',
  properties: { ...partialObjectMetadataSchema.properties, ...more },
});

/** How long the text of a note is; a new length fills it with dots. */
const length: ViewSubresource = {
  name: 'length',
  group: 'measures.io',
  version: 'v2',
  kind: 'Length',
  schema: withMetadata({ length: { type: 'integer', tag: 2 } }),
  verbs: ['get', 'patch', 'update'],
  columns: [{ name: 'Length', type: 'integer', cell: (object) => (object as Length).length ?? null }],
  view: (object) => {
    const { name = '', resourceVersion, uid } = object.metadata;
    const text = (object as Note).text ?? '';
    const metadata = { name, ...(resourceVersion && { resourceVersion }), ...(uid && { uid }) };
    return { kind: 'Length', apiVersion: 'measures.io/v2', metadata, length: text.length } as Length;
  },
  merge: (submitted, stored) => ({ ...stored, text: '.'.repeat((submitted as Length).length ?? 0) }) as Note,
  validate: (submitted) => {
    const { length: asked = 0 } = submitted as Length;
    return asked > 100 ? [FieldErrors.invalid('length', asked, 'must not be more than 100')] : [];
  },
};

/** Appends to the text of a note. */
const append: ActionSubresource = {
  name: 'append',
  group: '',
  version: 'v1',
  kind: 'Appendix',
  schema: withMetadata({ text: { type: 'string', tag: 2 } }),
  async create(context, name, submitted, { parent, related, timestamp }) {
    const { text = '' } = submitted as Note;
    if (text === '') throw StatusError.badRequest('there is nothing to append');
    await parent.change(
      context,
      name,
      (stored) => ({ ...stored, text: `${(stored as Note).text}${text}` }) as Note,
    );
    const message = `${timestamp} ${related('', 'namespaces') !== undefined} ${related('', 'none') !== undefined}`;
    return { ...successStatus({}), code: 201, message };
  },
};

const definition: ResourceDefinition = {
  ...notes,
  views: [length],
  actions: [append],
  connections: [{ name: 'read', kind: 'Note', verbs: ['get', 'create'], withPath: true }],
};

async function withNote(options: TestApiOptions = {}): Promise<TestApi> {
  const api = createTestApi({ definitions: [namespaces, definition], ...options });
  await api.ask('POST', NOTES, { metadata: { name: 'a' }, text: 'abc' });
  return api;
}

const textOf = async (api: TestApi): Promise<unknown> => (await api.ask('GET', `${NOTES}/a`)).json.text;

describe('a subresource of another kind', () => {
  it('returns the object as that kind', async () => {
    const { status, json } = await (await withNote()).ask('GET', `${NOTES}/a/length`);
    expect([status, json]).toMatchObject([
      200,
      {
        kind: 'Length',
        apiVersion: 'measures.io/v2',
        metadata: { name: 'a', resourceVersion: '2' },
        length: 3,
      },
    ]);
  });

  it('accepts writes of that kind in every format', async () => {
    const api = await withNote();
    const put = await api.ask('PUT', `${NOTES}/a/length`, { metadata: { name: 'a' }, length: 5 });
    expect([put.status, put.json.kind, put.json.length, await textOf(api)]).toEqual([
      200,
      'Length',
      5,
      '.....',
    ]);
    const patched = await api.ask('PATCH', `${NOTES}/a/length`, { headers: MERGE, body: '{"length":2}' });
    expect([patched.status, patched.json.length, await textOf(api)]).toEqual([200, 2, '..']);
    const dry = await api.ask('PATCH', `${NOTES}/a/length?dryRun=All`, {
      headers: MERGE,
      body: '{"length":9}',
    });
    expect([dry.status, dry.json.length, await textOf(api)]).toEqual([200, 9, '..']);
  });

  it('checks the resource version and uid of a write', async () => {
    const api = await withNote();
    const stale = await api.ask('PUT', `${NOTES}/a/length`, {
      metadata: { name: 'a', resourceVersion: '1' },
      length: 5,
    });
    expect([stale.status, stale.json.message]).toEqual([409, expect.stringContaining('notes "a"')]);
    const other = await api.ask('PUT', `${NOTES}/a/length`, { metadata: { name: 'a', uid: 'u' }, length: 5 });
    expect([other.status, await textOf(api)]).toEqual([409, 'abc']);
  });

  it('names itself in rejections', async () => {
    const api = await withNote();
    const invalid = await api.ask('PUT', `${NOTES}/a/length`, { metadata: { name: 'a' }, length: 101 });
    expect([invalid.status, invalid.json.message]).toEqual([
      422,
      'Length.measures.io "a" is invalid: length: Invalid value: 101: must not be more than 100',
    ]);
    const typed = await api.ask('PUT', `${NOTES}/a/length`, { metadata: { name: 'a' }, length: 'x' });
    expect([typed.status, typed.json.message]).toEqual([
      400,
      expect.stringMatching(/^Length in version "v2" cannot be handled as a Length: /),
    ]);
    const foreign = await api.ask('PUT', `${NOTES}/a/length`, {
      kind: 'Note',
      apiVersion: 'v1',
      metadata: { name: 'a' },
    });
    expect([foreign.status, await textOf(api)]).toEqual([400, 'abc']);
  });

  it('has the namespace of the object if a body names none', async () => {
    const named: ViewSubresource = {
      ...length,
      validate: ({ metadata }) =>
        metadata.namespace === 'x' ? [] : [FieldErrors.required('metadata.namespace', '')],
    };
    const api = await withNote({ definitions: [namespaces, { ...definition, views: [named] }] });
    const put = await api.ask('PUT', `${NOTES}/a/length`, { metadata: { name: 'a' }, length: 5 });
    expect([put.status, await textOf(api)]).toEqual([200, '.....']);
  });

  it('of a custom kind says of unreadable bodies only that its kind is not registered', async () => {
    const api = await withNote({ definitions: [namespaces, { ...definition, dialect: 'custom' }] });
    for (const body of [{ length: 'x' }, { kind: 'Note' }]) {
      const { status, json } = await api.ask('PUT', `${NOTES}/a/length`, {
        metadata: { name: 'a' },
        ...body,
      });
      expect([status, json.message]).toEqual([
        400,
        'no kind is registered for the type v2.Length in scheme "pkg/runtime/scheme.go:100"',
      ]);
    }
  });

  it('of a custom kind is sent in the formats of its parent, which a 405 names', async () => {
    const length = { ...definition.views?.[0], group: 'other.group' } as ViewSubresource;
    const custom: ResourceDefinition = { ...definition, dialect: 'custom', views: [length] };
    const api = await withNote({ definitions: [namespaces, custom] });
    const path = `${NOTES}/a/length`;
    const get = async (accept: string): Promise<unknown[]> => {
      const { status, headers } = await api.ask('GET', path, { headers: { accept } });
      return [status, status === 200 && headers['content-type']];
    };
    const protobuf = orchVocabulary.protobufMediaType;
    expect(await get(protobuf)).toEqual([406, false]);
    expect(await get(`${protobuf}, application/json`)).toEqual([200, 'application/json']);
    expect((await api.ask('DELETE', path)).json.message).toBe(
      'delete is not supported on resources of kind "notes"',
    );
  });

  it('creates nothing, and names its parent in a 404', async () => {
    const api = await withNote();
    for (const [method, asked] of [
      ['GET', {}],
      ['PUT', { metadata: { name: 'b' }, length: 1 }],
      ['PATCH', { headers: MERGE, body: '{}' }],
      ['PATCH', { headers: APPLY, body: '{"apiVersion":"measures.io/v2","kind":"Length","length":1}' }],
      ['PATCH', { headers: APPLY, body: '[]' }],
      ['PATCH', { headers: APPLY, body: ': : :' }],
    ] as const) {
      const { status, json } = await api.ask(
        method,
        `${NOTES}/b/length?fieldManager=m`.replace(method === 'GET' ? '?fieldManager=m' : '', ''),
        asked,
      );
      expect([method, status, json.message]).toEqual([method, 404, 'notes "b" not found']);
    }
  });

  it('appears in discovery, OpenAPI and tables', async () => {
    const api = await withNote();
    const { resources } = (await api.ask('GET', '/api/v1')).json as unknown as {
      resources: { name: string }[];
    };
    expect(resources.find(({ name }) => name === 'notes/length')).toEqual({
      name: 'notes/length',
      singularName: '',
      namespaced: true,
      group: 'measures.io',
      version: 'v2',
      kind: 'Length',
      verbs: ['get', 'patch', 'update'],
    });
    const { paths } = (await api.ask('GET', '/openapi/v3/api/v1')).json as unknown as {
      paths: Record<string, object>;
    };
    expect(Object.keys(paths['/api/v1/namespaces/{namespace}/notes/{name}/length'] ?? {})).toEqual(
      expect.arrayContaining(['get', 'put', 'patch']),
    );
    const headers = { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' };
    expect((await api.ask('GET', `${NOTES}/a/length`, { headers })).json).toMatchObject({
      columnDefinitions: [{ name: 'Length' }],
      rows: [{ cells: [3] }],
    });
  });
});

describe('an action subresource', () => {
  it('runs and returns its result', async () => {
    const api = await withNote();
    const { status, json } = await api.ask('POST', `${NOTES}/a/append`, {
      metadata: { name: 'a' },
      text: 'de',
    });
    expect([status, json.kind, json.message, await textOf(api)]).toEqual([
      201,
      'Status',
      '2024-01-02T03:04:05Z true false',
      'abcde',
    ]);
  });

  it('does nothing in a dry run, or if it rejects', async () => {
    const api = await withNote();
    expect((await api.ask('POST', `${NOTES}/a/append?dryRun=All`, { text: 'de' })).status).toBe(201);
    expect((await api.ask('POST', `${NOTES}/a/append`, {})).status).toBe(400);
    expect(
      (await api.ask('POST', `${NOTES}/a/append`, { metadata: { namespace: 'y' }, text: 'de' })).status,
    ).toBe(400);
    expect(await textOf(api)).toBe('abc');
  });

  it('returns 404 for a missing object', async () => {
    const api = await withNote();
    for (const query of ['', '?dryRun=All']) {
      const { status, json } = await api.ask('POST', `${NOTES}/none/append${query}`, { text: 'x' });
      expect([status, json.message]).toEqual([404, 'notes "none" not found']);
    }
  });

  it('has no table as its answer', async () => {
    const api = await withNote();
    const table = 'application/json;as=Table;g=meta.orch.io;v=v1';
    const append = (accept: string) =>
      api.ask('POST', `${NOTES}/a/append`, { headers: { accept }, body: { text: 'de' } });
    const { status, json } = await append(table);
    expect([status, json.reason]).toEqual([406, 'NotAcceptable']);
    expect(await textOf(api)).toBe('abc');
    expect((await append(`${table},application/json`)).json.kind).not.toBe('Table');
  });

  it('accepts POST only', async () => {
    expect((await (await withNote()).ask('GET', `${NOTES}/a/append`)).status).toBe(405);
  });
});

describe('a type whose creates are an action', () => {
  const appendices: ResourceDefinition = {
    ...{ group: '', scope: 'Namespaced', dialect: 'built-in', strategy: notes.strategy, storage: {} },
    names: { plural: 'appendices', singular: 'appendix', kind: 'Appendix', listKind: 'AppendixList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: append.schema }],
    createsAction: { plural: 'notes', action: 'append' },
  };
  const path = '/api/v1/namespaces/x/appendices';
  const definitions = [namespaces, definition, appendices];

  it('runs it on the object with the name of the body', async () => {
    const api = await withNote({ definitions });
    const appended = await api.ask('POST', path, { metadata: { name: 'a' }, text: 'de' });
    expect([appended.status, appended.json.kind, await textOf(api)]).toEqual([201, 'Status', 'abcde']);
    const missing = await api.ask('POST', path, { metadata: { name: 'b' }, text: 'de' });
    expect([missing.status, missing.json.message]).toEqual([404, 'notes "b" not found']);
    const nameless = await api.ask('POST', path, { text: 'de' });
    expect([nameless.status, nameless.json.message]).toEqual([400, 'Name parameter required.']);
  });

  it('runs it with a new object, which has no uid', async () => {
    const uids: unknown[] = [];
    const noting: ActionSubresource = {
      ...append,
      create: (context, name, submitted, environment) => {
        uids.push(submitted.metadata.uid);
        return append.create(context, name, submitted, environment);
      },
    };
    const api = await withNote({ definitions: [namespaces, { ...notes, actions: [noting] }, appendices] });
    const body = { metadata: { name: 'a', uid: 'u' }, text: 'd' };
    await api.ask('POST', path, body);
    await api.ask('POST', `${NOTES}/a/append`, body);
    expect(uids).toEqual([undefined, 'u']);
  });

  it('can only be created, within a namespace', async () => {
    const api = await withNote({ definitions });
    const { json } = await api.ask('GET', '/api/v1');
    expect(json.resources).toContainEqual(
      expect.objectContaining({ name: 'appendices', kind: 'Appendix', namespaced: true, verbs: ['create'] }),
    );
    expect((await api.ask('GET', path)).status).toBe(405);
    for (const [method, elsewhere] of [
      ['GET', `${path}/a`],
      ['GET', '/api/v1/appendices'],
      ['POST', '/api/v1/appendices'],
    ] as const)
      expect((await api.ask(method, elsewhere, {})).status).toBe(404);
  });
});

describe('a connect subresource', () => {
  it('reaches the host, with the rest of the path', async () => {
    const seen: ConnectRequest[] = [];
    const connect = async (request: ConnectRequest) => {
      seen.push(request);
      return {
        status: 202,
        headers: { 'content-type': 'text/plain' },
        body: new TextEncoder().encode('read'),
      };
    };
    const api = await withNote({ connect });
    const { status, text } = await api.ask('GET', `${NOTES}/a/read/aloud/now?q=1`);
    expect([status, text]).toEqual([202, 'read']);
    expect(seen[0]).toMatchObject({
      user: { name: 'alice' },
      group: '',
      version: 'v1',
      resource: 'notes',
      subresource: 'read',
      namespace: 'x',
      name: 'a',
      path: 'aloud/now',
    });
    expect((await api.ask('POST', `${NOTES}/a/read`)).status).toBe(202);
  });

  it('returns 501 without a host handler', async () => {
    const { status, json } = await (await withNote()).ask('GET', `${NOTES}/a/read`);
    expect([status, json.message]).toEqual([
      501,
      expect.stringMatching(/^notes\/read is not implemented by this server/),
    ]);
  });

  it('looks without one for what it leads to', async () => {
    const target: ConnectionTarget = async (name, read, parameters) => {
      await read(name.replace(/:.*/, ''));
      return parameters.all('late').length > 0 ? 'nothing yet' : undefined;
    };
    const [read, ...others] = definition.connections ?? [];
    const leading = { ...definition, connections: [{ ...(read as ConnectSubresource), target }, ...others] };
    const api = createTestApi({ definitions: [namespaces, leading] });
    await api.ask('POST', NOTES, { metadata: { name: 'a' } });
    const status = async (path: string): Promise<number> => (await api.ask('GET', `${NOTES}/${path}`)).status;
    expect([await status('a:80/read'), await status('a/read?late'), await status('b:80/read')]).toEqual([
      ...[501, 204, 404],
    ]);
  });

  it('accepts its methods only, and OPTIONS where it passes paths on', async () => {
    const api = await withNote();
    expect((await api.ask('DELETE', `${NOTES}/a/read`)).status).toBe(405);
    expect((await api.ask('OPTIONS', `${NOTES}/a/read`)).status).toBe(501);
    expect((await api.ask('OPTIONS', `${NOTES}/none/read`)).status).toBe(404);
    expect((await api.ask('FOO', `${NOTES}/a/read`)).status).toBe(405);
  });

  it.each(['All', 'x', ''])('is not tried with dryRun=%s', async (value) => {
    const connect = async () => ({ status: 202, headers: {} });
    const { status, json } = await (await withNote({ connect })).ask(
      'GET',
      `${NOTES}/none/read?dryRun=${value}`,
    );
    expect([status, json.message]).toEqual([400, 'dryRun is not supported']);
  });
});
