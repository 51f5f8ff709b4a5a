import { kubernetesVocabulary, orchVocabulary, runAtOnce } from '@ashlar/core';
import type { ResourceVersion } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { ApiCatalog, type ServedGroupVersion } from '../catalog/api-catalog.ts';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes, widgets } from '../testing/test-resources.fixture.ts';
import { openApiDocumentSteps } from './openapi-document.ts';
import { openApiV2DocumentSteps } from './openapi-v2-document.ts';
import { encodeOpenApiV3Steps } from './openapi-v3-protobuf.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly content: object }>>;
  readonly [extension: string]: unknown;
}
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathItem = Readonly<Partial<Record<Method, Operation>>> & { readonly parameters: readonly object[] };
interface Document {
  readonly info: object;
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: { readonly schemas: Readonly<Record<string, Record<string, unknown>>> };
}
const ITEM = '/api/v1/namespaces/{namespace}/notes/{name}';

function documentOf(group: string, vocabulary = orchVocabulary, encodings = {}): Document {
  const catalog = new ApiCatalog(vocabulary, encodings);
  const verbs = { get: 1, list: 1, watch: 1, create: 1, update: 1, delete: 1, deleteCollection: 1 };
  const storage = Object.fromEntries(Object.keys(verbs).map((verb) => [verb, () => ({})]));
  for (const definition of [namespaces, notes, widgets]) catalog.add(definition, storage as object);
  const [served] = catalog.versions(group);
  return runAtOnce(
    openApiDocumentSteps(served as ServedGroupVersion, vocabulary, 'v9'),
  ) as unknown as Document;
}

const pausesOf = (steps: Iterable<unknown>): number => [...steps].length;

describe('openApiDocument', () => {
  const document = documentOf('');

  it('pauses after each resource, and in v2 after each path and schema', () => {
    const catalog = new ApiCatalog(orchVocabulary);
    for (const definition of [namespaces, notes]) catalog.add(definition, { get: () => ({}) } as object);
    const [served] = catalog.versions('');
    const steps = openApiDocumentSteps(served as ServedGroupVersion, orchVocabulary, '1.32');
    expect(pausesOf(steps)).toBe(2);
    const { paths, components } = document;
    const parts = Object.keys(paths).length + Object.keys(components.schemas).length;
    expect(pausesOf(openApiV2DocumentSteps([document as never], orchVocabulary, '1.32'))).toBe(parts);
    expect(pausesOf(encodeOpenApiV3Steps(document as never))).toBe(parts);
  });

  it('describes every path of a group version, in order', () => {
    expect(document.info).toEqual({ title: 'Orch', version: 'v9' });
    expect(Object.keys(document.paths)).toEqual([
      '/api/v1/',
      '/api/v1/namespaces',
      '/api/v1/namespaces/{namespace}/notes',
      '/api/v1/namespaces/{namespace}/notes/{name}',
      '/api/v1/namespaces/{namespace}/notes/{name}/status',
      '/api/v1/namespaces/{name}',
      '/api/v1/notes',
      '/api/v1/watch/namespaces',
      '/api/v1/watch/namespaces/{namespace}/notes',
      '/api/v1/watch/namespaces/{namespace}/notes/{name}',
      '/api/v1/watch/namespaces/{name}',
      '/api/v1/watch/notes',
    ]);
    expect(Object.keys(documentOf('example.com').paths)).toEqual([
      '/apis/example.com/v1/namespaces/{namespace}/widgets',
      '/apis/example.com/v1/namespaces/{namespace}/widgets/{name}',
      '/apis/example.com/v1/widgets',
    ]);
  });

  it('lists CBOR for objects and for the resources of the version, if the server has it', () => {
    const { paths } = documentOf('', orchVocabulary, { cbor: true });
    for (const path of ['/api/v1/', ITEM]) {
      expect(Object.keys(paths[path]?.get?.responses[200]?.content ?? {})).toContain('application/cbor');
      expect(Object.keys(document.paths[path]?.get?.responses[200]?.content ?? {})).not.toContain(
        'application/cbor',
      );
    }
  });

  it('names operations as clients expect', () => {
    const ids = Object.values(document.paths).flatMap((path) =>
      (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap(
        (method) => path[method]?.operationId ?? [],
      ),
    );
    expect(ids).toEqual(
      expect.arrayContaining([
        'listCoreV1Namespace',
        'readCoreV1NamespacedNote',
        'createCoreV1NamespacedNote',
        'replaceCoreV1NamespacedNoteStatus',
        'deleteCoreV1CollectionNamespacedNote',
        'listCoreV1NoteForAllNamespaces',
        'watchCoreV1NoteListForAllNamespaces',
        'watchCoreV1NamespacedNoteList',
        'watchCoreV1NamespacedNote',
      ]),
    );
    expect(new Set(ids).size).toBe(ids.length);
    const item =
      documentOf('example.com').paths['/apis/example.com/v1/namespaces/{namespace}/widgets/{name}'];
    expect(item?.get?.operationId).toBe('readExampleComV1NamespacedWidget');
    expect(item?.get?.tags).toEqual(['exampleCom_v1']);
  });

  it('marks each operation with its kind and action', () => {
    const patch = document.paths[ITEM]?.patch;
    expect(patch).toMatchObject({
      'x-orch-action': 'patch',
      'x-orch-group-version-kind': { group: '', version: 'v1', kind: 'Note' },
    });
    const upstream = documentOf('', kubernetesVocabulary);
    expect(upstream.paths['/api/v1/notes']?.get).toMatchObject({
      'x-kubernetes-action': 'list',
      'x-kubernetes-group-version-kind': { group: '', version: 'v1', kind: 'Note' },
    });
  });

  it('writes parameters in place', () => {
    const { patch, post, get } = {
      ...document.paths['/api/v1/namespaces/{namespace}/notes'],
      ...document.paths['/api/v1/namespaces/{namespace}/notes/{name}'],
    };
    const names = (operation: Operation | undefined): readonly string[] =>
      (operation?.parameters ?? []).map((parameter) => parameter.name);
    expect(names(patch)).toEqual(['dryRun', 'fieldManager', 'fieldValidation', 'force']);
    expect(names(post)).toEqual(['dryRun', 'fieldManager', 'fieldValidation']);
    expect(patch?.parameters?.[2]).toEqual({
      name: 'fieldValidation',
      in: 'query',
      schema: { type: 'string', uniqueItems: true },
    });
    expect(get).not.toHaveProperty('parameters');
    expect(document.paths['/api/v1/namespaces/{namespace}/notes/{name}']?.parameters).toMatchObject([
      { name: 'name', in: 'path', required: true },
      { name: 'namespace', in: 'path', required: true },
      { name: 'pretty', in: 'query' },
    ]);
  });

  it('describes objects and lists, and marks their kinds', () => {
    const { schemas } = document.components;
    expect(schemas['io.orch.api.core.v1.Note']).toMatchObject({
      type: 'object',
      properties: { text: { type: 'string' } },
      'x-orch-group-version-kind': [{ group: '', kind: 'Note', version: 'v1' }],
    });
    expect(schemas['io.orch.api.core.v1.NoteList']).toMatchObject({
      required: ['items'],
      'x-orch-group-version-kind': [{ group: '', kind: 'NoteList', version: 'v1' }],
    });
    expect(Object.keys(schemas)).toEqual(Object.keys(schemas).toSorted());
    expect(Object.keys(documentOf('example.com').components.schemas)).toContain('com.example.v1.Widget');
  });

  it('has no dangling references', () => {
    for (const whole of [document, documentOf('example.com'), documentOf('', kubernetesVocabulary)]) {
      const names = [...JSON.stringify(whole).matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(
        ([, name]) => name,
      );
      expect(names.length).toBeGreaterThan(5);
      expect(Object.keys(whole.components.schemas)).toEqual(expect.arrayContaining(names));
    }
  });

  it('lists the supported patch types', () => {
    const patch = document.paths[ITEM]?.patch;
    expect(Object.keys(patch?.requestBody?.content ?? {})).toEqual(
      expect.arrayContaining(['application/json-patch+json', 'application/strategic-merge-patch+json']),
    );
  });
});

describe('/openapi/v3', () => {
  it('names each document by its content', async () => {
    const api = createTestApi();
    const { json } = await api.ask('GET', '/openapi/v3');
    const paths = json.paths as Readonly<Record<string, { readonly serverRelativeURL: string }>>;
    expect(Object.keys(paths)).toEqual(['api', 'api/v1', 'apis/example.com/v1', 'version']);
    const url = paths['api/v1']?.serverRelativeURL ?? '';
    expect(url).toMatch(/^\/openapi\/v3\/api\/v1\?hash=[0-9A-F]{128}$/);
    const lasting = await api.ask('GET', url);
    expect([lasting.status, lasting.headers['cache-control'], lasting.headers.expires]).toEqual([
      200,
      'public, immutable',
      'Wed, 01 Jan 2025 03:04:05 GMT',
    ]);
    expect(lasting.json.openapi).toBe('3.0.0');
    const stale = await api.ask('GET', '/openapi/v3/api/v1?hash=OLD');
    expect([stale.status, stale.headers.location, stale.text]).toEqual([301, url, '']);
    expect((await api.ask('GET', '/openapi/v3/api/v1?hash=')).headers['cache-control']).toBe(
      'no-cache, private',
    );
  });

  it.each(['/openapi/v3/', '/openapi/v3/api/v2', '/openapi/v3/api/v1/', '/openapi/v3/__proto__'])(
    'returns 404 for %s',
    async (path) => {
      const { status, text } = await createTestApi().ask('GET', path);
      expect([status, text]).toEqual([404, '']);
    },
  );

  it('accepts ETags in every form, and serves JSON only', async () => {
    const api = createTestApi();
    const { headers } = await api.ask('GET', '/openapi/v3/api/v1');
    const status = async (asked: Record<string, string>): Promise<number> =>
      (await api.ask('GET', '/openapi/v3/api/v1', { headers: asked })).status;
    for (const tag of [`${headers.etag}`, `W/${headers.etag}`, `"x", ${headers.etag}`, '*'])
      expect(await status({ 'if-none-match': tag })).toBe(304);
    expect(await status({ 'if-none-match': '"x"' })).toBe(200);
    expect(await status({ accept: 'application/yaml' })).toBe(406);
    const refused = await api.ask('GET', '/openapi/v3/api/v1', { headers: { accept: 'application/yaml' } });
    expect(refused.headers.vary).toBe('Accept');
    expect(await status({ accept: 'text/html, application/*' })).toBe(200);
  });

  it('follows changes of the catalog', async () => {
    const api = createTestApi({ definitions: [namespaces] });
    expect((await api.ask('GET', '/openapi/v3/apis/example.com/v1')).status).toBe(404);
    const before = (await api.ask('GET', '/openapi/v3')).text;
    api.serve(widgets);
    expect((await api.ask('GET', '/openapi/v3')).text).not.toBe(before);
    expect((await api.ask('GET', '/openapi/v3/apis/example.com/v1')).status).toBe(200);
  });

  it('changes the address of a changed type and of no other', async () => {
    const api = createTestApi();
    const addresses = async (): Promise<readonly string[]> => {
      const { json } = await api.ask('GET', '/openapi/v3');
      const paths = json.paths as Readonly<Record<string, { readonly serverRelativeURL: string }>>;
      return ['api/v1', 'apis/example.com/v1'].map((path) => paths[path]?.serverRelativeURL ?? '');
    };
    const [core, old = ''] = await addresses();
    const [version] = widgets.versions as [ResourceVersion];
    api.catalog.remove(widgets);
    api.serve({ ...widgets, versions: [{ ...version, schema: { type: 'object', description: 'New.' } }] });
    const [same, now] = await addresses();
    expect(same).toBe(core);
    expect(now).not.toBe(old);
    const stale = await api.ask('GET', old);
    expect([stale.status, stale.headers.location]).toEqual([301, now]);
    expect((await api.ask('GET', now ?? '')).text).toContain('New.');
    api.catalog.remove(widgets);
    api.serve(widgets);
    expect(await addresses()).toEqual([core, old]);
  });
});
