import { createHash } from 'node:crypto';
import { decodeEnvelope } from '@ashlar/codec';
import { kubernetesVocabulary, orchVocabulary, type Turns, toHex } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes, reviews, widgets } from '../testing/test-resources.fixture.ts';

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const USERS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
const hash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');

/** Types in groups of their own. */
const widgetsOf = (groups: number, typesOfEach: number): readonly ResourceDefinition[] =>
  Array.from({ length: groups * typesOfEach }, (_, i) => ({
    ...widgets,
    group: `g${i % groups}.example.com`,
    names: { ...widgets.names, plural: `widgets${i}` },
  }));

describe('plain discovery', () => {
  it("lists the versions of the core group and the server's address", async () => {
    const api = createTestApi({ serverAddress: () => '10.0.0.1:6443' });
    for (const path of ['/api', '/api/']) {
      expect((await api.ask('GET', path)).json).toEqual({
        kind: 'APIVersions',
        versions: ['v1'],
        serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: '10.0.0.1:6443' }],
      });
    }
  });

  it('lists groups, and each group', async () => {
    const api = createTestApi();
    const version = { groupVersion: 'example.com/v1', version: 'v1' };
    const group = { name: 'example.com', versions: [version], preferredVersion: version };
    expect((await api.ask('GET', '/apis')).json).toEqual({
      kind: 'APIGroupList',
      apiVersion: 'v1',
      groups: [group],
    });
    expect((await api.ask('GET', '/apis/example.com')).json).toEqual({
      kind: 'APIGroup',
      apiVersion: 'v1',
      ...group,
    });
  });

  it('lists resources by name, each followed by its subresources', async () => {
    const { json } = await createTestApi().ask('GET', '/api/v1');
    expect(json).toEqual({
      kind: 'APIResourceList',
      groupVersion: 'v1',
      resources: [
        {
          name: 'namespaces',
          singularName: 'namespace',
          namespaced: false,
          kind: 'Namespace',
          verbs: ALL.filter((verb) => verb !== 'deletecollection'),
          storageVersionHash: hash('/v1/Namespace'),
        },
        {
          name: 'notes',
          singularName: 'note',
          namespaced: true,
          kind: 'Note',
          verbs: ALL,
          shortNames: ['no'],
          categories: ['all'],
          storageVersionHash: hash('/v1/Note'),
        },
        {
          name: 'notes/status',
          singularName: '',
          namespaced: true,
          kind: 'Note',
          verbs: ['get', 'patch', 'update'],
        },
      ],
    });
  });

  it('keeps the order of verbs of custom types, and omits unsupported verbs', async () => {
    const api = createTestApi({ definitions: [widgets, reviews] });
    const { json } = await api.ask('GET', '/apis/example.com/v1');
    expect(json).toMatchObject({
      apiVersion: 'v1',
      resources: [
        { name: 'reviews', verbs: ['create'] },
        { name: 'widgets', verbs: USERS },
      ],
    });
  });

  it('has no hash of a storage version where nothing is stored', async () => {
    const host = { ...notes, storage: { list: () => ({ items: [], resourceVersion: '' }) } };
    const { json } = await createTestApi({ definitions: [namespaces, host] }).ask('GET', '/api/v1');
    const listed = (json.resources as { name: string; storageVersionHash?: string }[]).map(
      ({ name, storageVersionHash }) => [name, storageVersionHash],
    );
    expect(listed.slice(0, 2)).toEqual([
      ['namespaces', hash('/v1/Namespace')],
      ['notes', undefined],
    ]);
  });

  it.each([
    ['/apis', 1, undefined],
    ['/apis', 1, 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList'],
    // each sixteen of the 300 hashes are followed by another turn
    ['/apis/g0.example.com/v1', 1 + 18, undefined],
  ])(
    'of very many types begins in a turn of its own, and of few at once: %s, %s',
    async (path, expected, accept) => {
      const pausesWith = async (groups: number, typesOfEach: number): Promise<number> => {
        let pauses = 0;
        const turns: Turns = {
          requestBegan: () => {},
          pause: async () => void pauses++,
          atEndOfTurn: (call) => call(),
        };
        const random = { bytes: (bytes: Uint8Array<ArrayBuffer>) => bytes };
        const ambient = { clock: createSteppedClock(0), random, vocabulary: orchVocabulary, turns };
        const api = createTestApi({ definitions: widgetsOf(groups, typesOfEach), ambient });
        const headers = accept === undefined ? {} : { accept };
        expect((await api.ask('GET', path, { headers })).status).toBe(200);
        return pauses;
      };
      const isOfOne = path !== '/apis';
      expect(await pausesWith(isOfOne ? 1 : 300, isOfOne ? 300 : 1)).toBe(expected);
      expect(await pausesWith(1, 1)).toBe(0);
    },
  );

  it('is served in YAML, and rejects other formats', async () => {
    const api = createTestApi();
    const yaml = await api.ask('GET', '/api/v1', { headers: { accept: 'application/yaml' } });
    expect([yaml.headers['content-type'], yaml.text.slice(0, 14)]).toEqual([
      'application/yaml',
      'groupVersion: ',
    ]);
    expect((await api.ask('GET', '/api/v1', { headers: { accept: 'image/png' } })).status).toBe(406);
  });

  it.each([
    ['/api/v2', 404, 'application/json'],
    ['/apis/none.example.com', 404, 'text/plain; charset=utf-8'],
    ['/apis/none.example.com/v1', 404, 'text/plain; charset=utf-8'],
    ['/apis/example.com/v2', 404, 'text/plain; charset=utf-8'],
    ['/apis/built.in/v2', 404, 'application/json'],
  ])('returns 404 for %s', async (path, status, contentType) => {
    const api = createTestApi({ definitions: [notes, widgets, { ...notes, group: 'built.in' }] });
    const result = await api.ask('GET', path);
    expect([result.status, result.headers['content-type']]).toEqual([status, contentType]);
  });

  it('accepts other methods only where the reference does', async () => {
    const registrations = { ...notes, group: 'apiregistration.orch.io' };
    const api = createTestApi({ definitions: [namespaces, notes, widgets, registrations] });
    for (const path of ['/api', '/api/v1', '/version', '/apis/apiregistration.orch.io'])
      expect((await api.ask('POST', path)).status).toBe(405);
    expect((await api.ask('HEAD', '/api/v1')).status).toBe(200);
    for (const path of ['/apis', '/apis/example.com', '/apis/example.com/v1', '/', '/openapi/v2'])
      expect((await api.ask('POST', path)).status).toBe(200);
  });

  it.each(['//api', '/apis//', '/api//v1', '//apis/example.com/v1/widgets', '/apis/example.com/v1//widgets'])(
    'has nothing at %s, since the slash is doubled',
    async (path) => {
      expect((await createTestApi().ask('GET', path)).status).toBe(404);
    },
  );

  it.each(['/api/v1/proxy/notes/a', '/apis/example.com/v1/proxy/widgets'])(
    'has nothing at %s, the old form of proxies',
    async (path) => {
      for (const method of ['GET', 'PUT']) expect((await createTestApi().ask(method, path)).status).toBe(404);
    },
  );

  it('lists all paths at /', async () => {
    const { json } = await createTestApi().ask('GET', '/');
    expect(json.paths).toEqual([...(json.paths as string[])].sort());
    expect(json.paths).toEqual(
      expect.arrayContaining(['/api', '/api/v1', '/apis', '/apis/example.com/v1', '/healthz', '/version']),
    );
  });

  it('lists the same paths at /index.html, for any method', async () => {
    const api = createTestApi();
    const { json } = await api.ask('GET', '/');
    for (const method of ['GET', 'POST']) expect((await api.ask(method, '/index.html')).json).toEqual(json);
  });

  it('follows changes of the catalog', async () => {
    const api = createTestApi({ definitions: [namespaces] });
    expect((await api.ask('GET', '/apis')).json.groups).toEqual([]);
    api.serve(widgets);
    expect((await api.ask('GET', '/apis/example.com/v1')).status).toBe(200);
    api.catalog.remove(widgets);
    expect((await api.ask('GET', '/apis/example.com/v1')).status).toBe(404);
    expect((await api.ask('GET', '/apis')).json.groups).toEqual([]);
  });
});

describe('aggregated discovery', () => {
  const accept = 'application/json;g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';

  it('returns everything at once, with the ETag of its bytes', async () => {
    const api = createTestApi();
    const { headers, json, text } = await api.ask('GET', '/apis', { headers: { accept } });
    const tag = `"${createHash('sha512').update(text).digest('hex').toUpperCase()}"`;
    expect(headers).toMatchObject({
      'content-type': accept,
      etag: tag,
      vary: 'Accept',
      'cache-control': 'public',
    });
    expect(json).toEqual({
      kind: 'APIGroupDiscoveryList',
      apiVersion: 'apidiscovery.orch.io/v2',
      metadata: {},
      items: [
        {
          metadata: { name: 'example.com', creationTimestamp: null },
          versions: [
            {
              version: 'v1',
              resources: [
                {
                  resource: 'widgets',
                  responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
                  scope: 'Namespaced',
                  singularResource: 'widget',
                  verbs: USERS,
                },
              ],
              freshness: 'Current',
            },
          ],
        },
      ],
    });
  });

  it('lists the core group without a name, and subresources in their resources', async () => {
    const { json } = await createTestApi().ask('GET', '/api', { headers: { accept } });
    expect(json.items).toMatchObject([
      {
        metadata: { creationTimestamp: null },
        versions: [
          {
            resources: [
              { resource: 'namespaces', scope: 'Cluster', responseKind: { group: '', version: 'v1' } },
              {
                resource: 'notes',
                shortNames: ['no'],
                subresources: [{ subresource: 'status', verbs: ['get', 'patch', 'update'] }],
              },
            ],
          },
        ],
      },
    ]);
  });

  it('returns 304 for a matching ETag until the catalog changes', async () => {
    const api = createTestApi({ definitions: [namespaces] });
    const { etag = '' } = (await api.ask('GET', '/apis', { headers: { accept } })).headers;
    const again = { headers: { accept, 'if-none-match': String(etag) } };
    const retained = await api.ask('GET', '/apis', again);
    expect([retained.status, retained.text]).toEqual([304, '']);
    for (const other of [`W/${etag}`, `${etag}, "x"`, '*']) {
      const asked = { headers: { accept, 'if-none-match': other } };
      expect((await api.ask('GET', '/apis', asked)).status).toBe(200);
    }
    api.serve(widgets);
    expect((await api.ask('GET', '/apis', again)).status).toBe(200);
  });

  it('is returned if it is accepted, even if the plain form is preferred', async () => {
    const api = createTestApi();
    const kindOf = async (header: string): Promise<string> =>
      (await api.ask('GET', '/apis', { headers: { accept: header } })).json.kind;
    expect(await kindOf('application/json')).toBe('APIGroupList');
    for (const header of [`application/json, ${accept}`, `application/json, ${accept};q=0.5`])
      expect(await kindOf(header)).toBe('APIGroupDiscoveryList');
    expect(await kindOf(accept.replace('v=v2', 'v=v9'))).toBe('Status');
    expect(await kindOf(`${accept.replace('v=v2', 'v=v9')}, application/json`)).toBe('APIGroupList');
    expect(await kindOf(`${accept.replace('v=v2', 'v=v2beta1')}`)).toBe('APIGroupDiscoveryList');
  });

  it('is requested by the names of the vocabulary', async () => {
    const api = createTestApi({ vocabulary: kubernetesVocabulary });
    const { json } = await api.ask('GET', '/apis', {
      headers: { accept: accept.replace('orch.io', 'k8s.io') },
    });
    expect(json.apiVersion).toBe('apidiscovery.k8s.io/v2');
  });
});

describe('the encodings of discovery', () => {
  const PROTOBUF = 'application/vnd.orch.protobuf';
  const AGGREGATED = 'g=apidiscovery.orch.io;v=v2;as=APIGroupDiscoveryList';

  it.each(['/api', '/apis', '/apis/example.com', '/api/v1', '/apis/example.com/v1'])(
    '%s is served in each',
    async (path) => {
      const api = createTestApi({ serverAddress: () => 'h:1' });
      const { json } = await api.ask('GET', path);
      const yaml = await api.ask('GET', path, { headers: { accept: 'application/yaml' } });
      expect(yaml.headers['content-type']).toBe('application/yaml');
      expect(yaml.text).toContain(`kind: ${json.kind}\n`);
      const protobuf = await api.ask('GET', path, { headers: { accept: PROTOBUF } });
      expect(protobuf.headers['content-type']).toBe(PROTOBUF);
      const { kind, apiVersion } = decodeEnvelope(protobuf.bytes);
      expect([kind, apiVersion]).toEqual([json.kind, json.apiVersion ?? '']);
    },
  );

  it('number the fields of groups as published', async () => {
    const { bytes } = await createTestApi().ask('GET', '/apis/example.com', {
      headers: { accept: PROTOBUF },
    });
    const version = '0a0e6578616d706c652e636f6d2f763112027631';
    expect(toHex(decodeEnvelope(bytes).raw)).toBe(`0a0b6578616d706c652e636f6d1214${version}1a14${version}`);
  });

  it('include the aggregated form, with one ETag', async () => {
    const api = createTestApi();
    const ask = (mediaType: string) =>
      api.ask('GET', '/api', { headers: { accept: `${mediaType};${AGGREGATED}` } });
    const json = await ask('application/json');
    const yaml = await ask('application/yaml');
    const protobuf = await ask(PROTOBUF);
    expect(yaml.headers['content-type']).toBe(`application/yaml;${AGGREGATED}`);
    expect([yaml.headers.etag, protobuf.headers.etag]).toEqual([json.headers.etag, json.headers.etag]);
    expect(yaml.text).toContain('kind: APIGroupDiscoveryList\n');
    expect(decodeEnvelope(protobuf.bytes).kind).toBe('APIGroupDiscoveryList');
  });

  it('include the aggregated form of groups only without a slash at the end', async () => {
    const api = createTestApi();
    const type = async (path: string, accept: string): Promise<unknown> => {
      const { status, headers } = await api.ask('GET', path, { headers: { accept } });
      return status === 200 ? headers['content-type'] : status;
    };
    const aggregated = `application/json;${AGGREGATED}`;
    for (const path of ['/api', '/api/', '/apis']) expect(await type(path, aggregated)).toBe(aggregated);
    expect(await type('/apis/', aggregated)).toBe(406);
    expect(await type('/apis/', `${aggregated},application/json`)).toBe('application/json');
  });

  it('are matched exactly by built-in routes, by any pattern elsewhere', async () => {
    const api = createTestApi();
    const status = async (path: string): Promise<unknown[]> => {
      const { status, json } = await api.ask('GET', path, { headers: { accept: 'application/*' } });
      return [status, json.message?.split('\n')[0]];
    };
    for (const path of ['/api', '/api/v1', '/version'])
      expect(await status(path)).toEqual([406, '406: Not Acceptable']);
    for (const path of ['/apis', '/apis/example.com', '/apis/example.com/v1'])
      expect(await status(path)).toEqual([200, undefined]);
    api.catalog.add(
      { ...widgets, group: 'apiregistration.orch.io', dialect: 'built-in' } as typeof widgets,
      { get: () => ({}) } as object,
    );
    expect(await status('/apis/apiregistration.orch.io')).toEqual([406, '406: Not Acceptable']);
  });
});
