import { decodeCbor, diagnoseCbor, encodeCbor, readCborItems, selfDescribed } from '@ashlar/codec';
import type { JsonObject } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type Received, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { SinkQueue } from '../verbs/sink-queue.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const WIDGETS = '/apis/example.com/v1/namespaces/x/widgets';
const CBOR = { accept: 'application/cbor', 'content-type': 'application/cbor' };
const INTO_JSON = { 'content-type': 'application/cbor' };

const createApi = (): TestApi => createTestApi({ encodings: { cbor: true } });
const body = (value: object | null): Uint8Array => selfDescribed(encodeCbor(value));
const note = (name: string, more: object = {}): Uint8Array =>
  body({ kind: 'Note', apiVersion: 'v1', metadata: { name }, ...more });
const read = ({ bytes }: Received): JsonObject => decodeCbor(bytes).value as JsonObject;

describe('objects in CBOR', () => {
  it('are read and returned behind a tag, as in JSON', async () => {
    const api = createApi();
    const made = await api.ask('POST', NOTES, {
      headers: CBOR,
      body: note('a', { text: 'ä', tags: { b: 'c' } }),
    });
    expect([made.status, made.headers['content-type']]).toEqual([201, 'application/cbor']);
    expect([...made.bytes.subarray(0, 3)]).toEqual([0xd9, 0xd9, 0xf7]);
    const { json } = await api.ask('GET', `${NOTES}/a`);
    expect(read(made)).toEqual(json);
    expect(json).toMatchObject({ text: 'ä', tags: { b: 'c' } });
    expect(read(await api.ask('GET', `${NOTES}/a`, { headers: CBOR }))).toEqual(json);
  });

  it('are listed, built-in kinds without kind and version per item', async () => {
    const api = createApi();
    await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    const widget = {
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: { name: 'w' },
      spec: { size: 3 },
    };
    await api.ask('POST', WIDGETS, { headers: INTO_JSON, body: body(widget) });
    for (const path of [NOTES, WIDGETS]) {
      const list = await api.ask('GET', path, { headers: CBOR });
      expect(list.headers['content-type']).toBe('application/cbor');
      expect(read(list)).toEqual((await api.ask('GET', path)).json);
    }
    const empty = await api.ask('GET', '/api/v1/namespaces/none/notes', { headers: CBOR });
    expect(diagnoseCbor(empty.bytes)).toContain("'items': []");
  });

  it('are encoded once for all requests', async () => {
    const api = createApi();
    await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    const bodies = await Promise.all(
      [1, 2].map(() => api.handler(toRequest('GET', `${NOTES}/a`, { headers: CBOR }))),
    );
    const [first, second] = bodies.map((response) => (response.body as readonly Uint8Array[])[0]);
    expect(first).toBe(second);
  });

  it('have metadata views, but no tables', async () => {
    const api = createApi();
    await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    const asked = (kind: string): object => ({ accept: `application/cbor;as=${kind};g=meta.orch.io;v=v1` });
    const list = await api.ask('GET', NOTES, { headers: asked('PartialObjectMetadataList') });
    expect(read(list)).toMatchObject({
      kind: 'PartialObjectMetadataList',
      items: [{ metadata: { name: 'a' } }],
    });
    const table = await api.ask('GET', NOTES, { headers: asked('Table') });
    expect([table.status, table.json.message]).toEqual([
      406,
      'only the following media types are accepted: application/json, application/yaml, application/vnd.orch.protobuf, application/cbor',
    ]);
  });

  it('are applied', async () => {
    const api = createApi();
    const headers = { ...CBOR, 'content-type': 'application/apply-patch+cbor' };
    const apply = (bytes: Uint8Array): Promise<Received> =>
      api.ask('PATCH', `${NOTES}/a?fieldManager=m`, { headers, body: bytes });
    const made = await apply(note('a', { text: 'b' }));
    expect([made.status, read(made).text]).toEqual([201, 'b']);
    const list = await apply(Uint8Array.of(0x80));
    expect(read(list).message).toBe(
      'error decoding YAML: cbor: cannot unmarshal array into Go value of type map[string]interface {}',
    );
    expect(read(await apply(Uint8Array.of(0xa1))).message).toBe('error decoding YAML: unexpected EOF');
    expect(read(await apply(body(null))).code).toBe(400);
  });

  it('are accepted as DeleteOptions', async () => {
    const api = createApi();
    await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    const dry = body({ kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] });
    const deleted = await api.ask('DELETE', `${NOTES}/a`, { headers: CBOR, body: dry });
    expect(read(deleted)).toMatchObject({ kind: 'Status', status: 'Success' });
    expect((await api.ask('GET', `${NOTES}/a`)).status).toBe(200);
  });
});

describe('discovery in CBOR', () => {
  it('has the resources of the versions of built-in groups', async () => {
    const api = createApi();
    const { status, headers, bytes } = await api.ask('GET', '/api/v1', { headers: CBOR });
    expect([status, headers['content-type']]).toEqual([200, 'application/cbor']);
    expect([...bytes.subarray(0, 3)]).toEqual([0xd9, 0xd9, 0xf7]);
    expect(decodeCbor(bytes).value).toEqual((await api.ask('GET', '/api/v1')).json);
    for (const path of ['/api', '/apis', '/apis/example.com', '/apis/example.com/v1'])
      expect((await api.ask('GET', path, { headers: CBOR })).status).toBe(406);
    expect((await createTestApi().ask('GET', '/api/v1', { headers: CBOR })).status).toBe(406);
  });
});

describe('bodies in CBOR that are rejected', () => {
  const message = async (bytes: Uint8Array, query = '', path = NOTES): Promise<string> =>
    (await createApi().ask('POST', `${path}${query}`, { headers: INTO_JSON, body: bytes })).json.message;

  it.each([
    [
      new Uint8Array(0),
      'the object provided is unrecognized (must be of type Note): unable to determine group/version/kind: EOF (<empty>)',
    ],
    [
      Uint8Array.of(0x61),
      'the object provided is unrecognized (must be of type Note): unable to determine group/version/kind: unexpected EOF (61)',
    ],
    [
      Uint8Array.of(0xa1, 0x44, 0x74, 0x65, 0x78, 0x74, 0xf7),
      'Note in version "v1" cannot be handled as a Note: cbor: data item of cbor type primitives is not accepted by protocol: simple value 23 is not recognized',
    ],
    [
      note('a', { bar: 1 }),
      'Note in version "v1" cannot be handled as a Note: strict decoding error: cbor: found unknown field at map element index 3',
    ],
  ])('%#', async (bytes, text) => {
    expect(await message(bytes, '?fieldValidation=Strict')).toBe(text);
  });

  it('rejects custom kinds without kind and version', async () => {
    expect(await message(body({ spec: {} }), '', WIDGETS)).toBe(
      "the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in '55799({'spec': {}})' (d9d9f7a14473706563a0)",
    );
  });

  it.each([
    [{ bar: 1, text: 'a', foo: 2 }, 3],
    [{ status: { foo: 1 }, text: 'a', bar: 1 }, 5],
    [{ status: { read: true, foo: 1 } }, 1],
    [{ metadata: { name: 'a', labels: { 'x.y': 'z' }, foo: 1 } }, 2],
    [{ metadata: { name: 'a', ownerReferences: [{ name: 'b', foo: 1 }], finalizers: [] } }, 1],
  ])('reports the first unknown field of the outermost map by its index: %j', async (more, index) => {
    const api = createApi();
    const result = await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a', more) });
    expect(result.headers.warning).toEqual([
      `299 - "cbor: found unknown field at map element index ${index}"`,
    ]);
  });

  it('does not report unknown fields of custom kinds', async () => {
    const widget = { kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'w' }, foo: 1 };
    for (const validation of ['Strict', 'Warn']) {
      const result = await createApi().ask('POST', `${WIDGETS}?fieldValidation=${validation}`, {
        headers: INTO_JSON,
        body: body(widget),
      });
      expect([result.status, result.headers.warning]).toEqual([201, undefined]);
      expect(result.json).not.toHaveProperty('foo');
    }
  });

  it('name the missing version of a custom kind', async () => {
    expect(await message(body({ kind: 'Widget' }), '', WIDGETS)).toBe(
      "Widget in version \"\" cannot be handled as a Widget: Object 'apiVersion' is missing in '55799({'kind': 'Widget'})'",
    );
  });

  it('ignores unknown fields without field validation', async () => {
    const api = createApi();
    const result = await api.ask('POST', `${NOTES}?fieldValidation=Ignore`, {
      headers: INTO_JSON,
      body: note('a', { bar: 1 }),
    });
    expect([result.status, result.headers.warning]).toEqual([201, undefined]);
  });
});

describe('failures in CBOR', () => {
  it('are encoded in it once the resource is resolved', async () => {
    const api = createApi();
    const absent = await api.ask('GET', `${NOTES}/none`, { headers: CBOR });
    expect(read(absent)).toMatchObject({ kind: 'Status', code: 404, reason: 'NotFound' });
    const nowhere = await api.ask('GET', '/api/v1/nothing', { headers: CBOR });
    expect([nowhere.status, nowhere.headers['content-type']]).toEqual([404, 'application/json']);
  });

  it('list it among the media types', async () => {
    const api = createApi();
    const types = 'application/json, application/yaml, application/vnd.orch.protobuf, application/cbor';
    const refused = await api.ask('POST', NOTES, { headers: { 'content-type': 'text/plain' }, body: 'x' });
    expect([refused.status, refused.json.message]).toEqual([415, expect.stringContaining(types)]);
    const list = await api.ask('GET', NOTES, { headers: { accept: 'text/plain' } });
    expect(list.json.message).toBe(
      `406: Not Acceptable\n\nAvailable representations: ${types}, application/json;stream=watch, application/vnd.orch.protobuf;stream=watch, application/cbor-seq`,
    );
    const sequence = await api.ask('GET', `${NOTES}?watch=1`, {
      headers: { accept: 'application/cbor-seq' },
    });
    expect(sequence.json.message).toBe(`only the following media types are accepted: ${types}`);
    const yaml = await api.ask('GET', `${NOTES}?watch=1`, { headers: { accept: 'application/yaml' } });
    expect(yaml.text).toContain('application/vnd.orch.protobuf;stream=watch, application/cbor-seq');
  });
});

describe('watches in CBOR', () => {
  async function events(api: TestApi, query: string, accept = 'application/cbor'): Promise<JsonObject[]> {
    const request = toRequest('GET', `${NOTES}?watch=1&timeoutSeconds=1&${query}`, { headers: { accept } });
    const { headers, body: write } = await api.handler(request);
    expect(headers['content-type']).toBe('application/cbor-seq');
    const queue = new SinkQueue();
    if (typeof write === 'function') write(queue);
    await new Promise((resolve) => setImmediate(resolve));
    api.clock.advance(1000);
    const received: JsonObject[] = [];
    for await (const item of readCborItems(queue)) {
      expect(diagnoseCbor(item)).toMatch(/^55799\(\{'type': '[A-Z]+', 'object': 55799\(/);
      received.push(decodeCbor(item).value as JsonObject);
    }
    return received;
  }

  it('are a sequence of tagged events', async () => {
    const api = createApi();
    await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    const { json } = await api.ask('GET', `${NOTES}/a`);
    expect(await events(api, '')).toEqual([{ type: 'ADDED', object: json }]);
    expect(await events(api, '', 'application/cbor;stream=watch')).toHaveLength(1);
    const partial = 'application/cbor;as=PartialObjectMetadata;g=meta.orch.io;v=v1';
    expect(await events(api, '', partial)).toMatchObject([{ object: { kind: 'PartialObjectMetadata' } }]);
  });

  it('mark the end of the initial events with an empty list in CBOR', async () => {
    const api = createApi();
    const query = 'sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
    const [bookmark = {}] = await events(api, query);
    const { annotations } = (bookmark.object as { metadata: { annotations: Record<string, string> } })
      .metadata;
    const blueprint = Uint8Array.from(atob(annotations['orch.io/initial-events-list-blueprint'] ?? ''), (c) =>
      c.charCodeAt(0),
    );
    expect(diagnoseCbor(blueprint)).toBe(
      "55799({'kind': 'NoteList', 'apiVersion': 'v1', 'metadata': {}, 'items': null})",
    );
  });
});

describe('without CBOR', () => {
  it('nothing of it is served', async () => {
    const api = createTestApi();
    const made = await api.ask('POST', NOTES, { headers: INTO_JSON, body: note('a') });
    expect([made.status, made.json.message]).toEqual([415, expect.not.stringContaining('cbor')]);
    expect((await api.ask('GET', NOTES, { headers: { accept: 'application/cbor' } })).status).toBe(406);
    const patch = { 'content-type': 'application/apply-patch+cbor' };
    expect(
      (await api.ask('PATCH', `${NOTES}/a?fieldManager=m`, { headers: patch, body: note('a') })).status,
    ).toBe(415);
  });

  it('OpenAPI lists the served media types', async () => {
    const contents = async (api: TestApi): Promise<string[]> => {
      const { json } = await api.ask('GET', '/openapi/v3/api/v1');
      const list = (json.paths as Record<string, { get: object }>)['/api/v1/namespaces/{namespace}/notes']
        ?.get;
      return Object.keys((list as { responses: { 200: { content: object } } }).responses[200].content);
    };
    const plain = ['application/json', 'application/yaml', 'application/vnd.orch.protobuf'];
    const streams = ['application/json;stream=watch', 'application/vnd.orch.protobuf;stream=watch'];
    expect(await contents(createTestApi())).toEqual([...plain, ...streams]);
    expect(await contents(createApi())).toEqual([
      ...plain,
      'application/cbor',
      ...streams,
      'application/cbor-seq',
    ]);
  });
});
