import { decodeEnvelope, encodeEnvelope, yamlSerializer } from '@ashlar/codec';
import { orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { concatenated } from './concatenated.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const WIDGETS = '/apis/example.com/v1/namespaces/x/widgets';

async function filled(): Promise<TestApi> {
  const api = createTestApi();
  await api.ask('POST', NOTES, { metadata: { name: 'a', labels: { 'b<': 'c' } }, text: 'x' });
  for (const name of ['a', 'b']) {
    await api.ask('POST', NOTES, { metadata: { name }, text: '<&>\u2028 ключ' });
    await api.ask('POST', WIDGETS, { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name } });
  }
  return api;
}

describe.each([NOTES, `${NOTES}/a`, WIDGETS, `${WIDGETS}/a`])('%s', (path) => {
  it('is one line of JSON', async () => {
    const { text, json } = await (await filled()).ask('GET', path);
    expect(text.endsWith('\n')).toBe(true);
    expect(text.slice(0, -1)).not.toMatch(/[\n<>&\u2028]/);
    expect(JSON.parse(text)).toEqual(json);
    expect(text.length).toBe(
      JSON.stringify(json).length + 1 + 5 * (text.match(/\\u00[0-9a-f]{2}|\\u2028/g)?.length ?? 0),
    );
  });

  it('is indented on request, with the same content', async () => {
    const api = await filled();
    const { json } = await api.ask('GET', path);
    const { text } = await api.ask('GET', `${path}?pretty=true`);
    const lines = JSON.stringify(json, null, 2).replaceAll(
      /[<>&\u2028]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect(text).toBe(lines);
  });

  it('has the same content in YAML', async () => {
    const api = await filled();
    const { json } = await api.ask('GET', path);
    const { text } = await api.ask('GET', path, { headers: { accept: 'application/yaml' } });
    expect(yamlSerializer.decode(new TextEncoder().encode(text), { strict: true }).value).toEqual(json);
    expect([text.endsWith('\n'), text.endsWith('\n\n')]).toEqual([true, false]);
  });
});

describe('a list', () => {
  it('names the kinds of the items of custom types only', async () => {
    const api = await filled();
    const [note] = (await api.ask('GET', NOTES)).json.items;
    const [widget] = (await api.ask('GET', WIDGETS)).json.items;
    expect([note?.kind, note?.apiVersion, widget?.kind, widget?.apiVersion]).toEqual([
      undefined,
      undefined,
      'Widget',
      'example.com/v1',
    ]);
    const one = (await api.ask('GET', `${NOTES}/a`)).json;
    expect({ ...note, kind: 'Note', apiVersion: 'v1' }).toEqual(one);
    expect((await api.ask('GET', `${WIDGETS}/a`)).json).toEqual(widget);
  });

  it('has an empty items array if there are none', async () => {
    const { text } = await createTestApi().ask('GET', NOTES);
    expect(text).toBe(
      '{"kind":"NoteList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[]}\n',
    );
  });

  it('returns the continue token in pages', async () => {
    const { text } = await (await filled()).ask('GET', `${WIDGETS}?limit=1`);
    expect(text).toMatch(
      /^\{"apiVersion":"example.com\/v1","items":\[\{.*\}\],"kind":"WidgetList","metadata":\{"continue":"[\w-]+","remainingItemCount":1,"resourceVersion":"\d+"\}\}\n$/,
    );
  });
});

describe('a custom object', () => {
  const labels = { z: '1', a: '2' };
  const widget = { kind: 'Widget', spec: { size: 1, color: 'red' }, apiVersion: 'example.com/v1' };
  const namesIn = (text: string, pattern: RegExp): string[] =>
    [...text.matchAll(pattern)].map(([name]) => name);
  const METADATA = /"(?:creationTimestamp|labels|managedFields|name|namespace|resourceVersion|uid)":/g;
  const SORTED = [
    'creationTimestamp',
    'labels',
    'managedFields',
    'name',
    'namespace',
    'resourceVersion',
    'uid',
  ];

  async function created(query = ''): Promise<[api: TestApi, text: string]> {
    const api = createTestApi();
    const body = { ...widget, metadata: { name: 'a', labels } };
    const { text } = await api.ask('POST', `${WIDGETS}${query}`, body);
    return [api, text];
  }

  it.each(['', '?dryRun=All'])(
    'has its members in the order of their names when it is created%s',
    async (query) => {
      const [, text] = await created(query);
      expect(text).toMatch(
        /^\{"apiVersion":.*,"kind":"Widget","metadata":\{.*\},"spec":\{"color":"red","size":1\}\}\n$/,
      );
      expect(text).toContain('"labels":{"a":"2","z":"1"}');
      const names = SORTED.filter((name) => query === '' || name !== 'resourceVersion');
      expect(namesIn(text, METADATA)).toEqual(names.map((name) => `"${name}":`));
    },
  );

  it('has them so in gets, lists, tables and after patches and deletions', async () => {
    const [api, text] = await created();
    const path = `${WIDGETS}/a`;
    expect((await api.ask('GET', path)).text).toBe(text);
    const object = text.trimEnd();
    expect((await api.ask('GET', WIDGETS)).text).toContain(object);
    const table = { headers: { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' } };
    expect((await api.ask('GET', `${WIDGETS}?includeObject=Object`, table)).text).toContain(object);
    const patch = { metadata: { finalizers: ['example.com/f'] }, spec: { size: 3 } };
    const patched = await api.ask('PATCH', path, {
      body: JSON.stringify(patch),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(patched.text).toContain('"spec":{"color":"red","size":3}');
    const deleted = (await api.ask('DELETE', path)).text;
    expect(deleted).toMatch(/"deletionTimestamp":.*"finalizers":.*"generation":.*"labels":.*"uid":/);
  });

  it('has its metadata in the order of all kinds where they are alone', async () => {
    const [api] = await created();
    const accept = 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1';
    const { text } = await api.ask('GET', WIDGETS, { headers: { accept } });
    const ordered = [
      'resourceVersion',
      'name',
      'namespace',
      'uid',
      'resourceVersion',
      'creationTimestamp',
      'labels',
      'managedFields',
    ];
    expect(namesIn(text, METADATA)).toEqual(ordered.map((name) => `"${name}":`));
  });
});

describe('Protobuf', () => {
  const accept = orchVocabulary.protobufMediaType;

  it('puts objects and lists into envelopes of their kind', async () => {
    const api = await filled();
    for (const [path, kind] of [
      [NOTES, 'NoteList'],
      [`${NOTES}/a`, 'Note'],
    ] as const) {
      const { body, headers } = await api.handler(toRequest('GET', path, { headers: { accept } }));
      const bytes = concatenated(body as readonly Uint8Array[]);
      expect([headers['content-type'], decodeEnvelope(bytes)]).toMatchObject([
        accept,
        { kind, apiVersion: 'v1' },
      ]);
    }
  });

  it('decodes what it encodes', async () => {
    const api = await filled();
    const { body } = await api.handler(toRequest('GET', `${NOTES}/a`, { headers: { accept } }));
    const bytes = concatenated(body as readonly Uint8Array[]);
    const before = (await api.ask('GET', `${NOTES}/a`)).json;
    const put = await api.ask('PUT', `${NOTES}/a`, { body: bytes, headers: { 'content-type': accept } });
    expect([put.status, put.json]).toEqual([200, before]);
  });
});

describe('an object that is read twice', () => {
  it('is assembled once, until it changes', async () => {
    const api = await filled();
    const read = async (): Promise<unknown> => (await api.handler(toRequest('GET', `${NOTES}/a`))).body;
    const [first] = (await read()) as [Uint8Array];
    const [second] = (await read()) as [Uint8Array];
    expect(second).toBe(first);
    const { json } = await api.ask('GET', `${NOTES}/a`);
    await api.ask('PUT', `${NOTES}/a`, { ...json, text: 'changed' });
    expect((await api.ask('GET', `${NOTES}/a`)).json.text).toBe('changed');
  });
});

describe('a Protobuf body that cannot be decoded', () => {
  const { protobufMediaType } = orchVocabulary;
  const refused = async (body: Uint8Array): Promise<unknown[]> => {
    const headers = { 'content-type': protobufMediaType };
    const { status, json } = await createTestApi().ask('POST', NOTES, { body, headers });
    return [status, json.message];
  };

  it('is of the kind that its envelope names', async () => {
    const raw = Uint8Array.of(0x0a, 0x7f);
    const why = 'unexpected EOF';
    expect(await refused(encodeEnvelope({ apiVersion: 'v1', kind: 'Note', raw }))).toEqual([
      400,
      `Note in version "v1" cannot be handled as a Note: ${why}`,
    ]);
    expect(await refused(encodeEnvelope({ apiVersion: '', kind: '', raw }))).toEqual([
      400,
      `Note in version "v1" cannot be handled as a Note: ${why}`,
    ]);
  });

  it('is of no kind if its envelope is broken', async () => {
    const whole = encodeEnvelope({ apiVersion: 'v1', kind: 'Note', raw: new Uint8Array() });
    expect(await refused(whole.slice(0, 8))).toEqual([
      400,
      expect.stringMatching(/^the object provided is unrecognized \(must be of type Note\): /),
    ]);
  });
});
