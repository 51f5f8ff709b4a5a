import { gunzipSync } from 'node:zlib';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  type ClauseServer,
  CONFIG_MAPS,
  clauseOptions,
  forEachVocabulary,
  JSON_PATCH,
  MERGE_PATCH,
  prepare,
  SECRETS,
  STRATEGIC_PATCH,
  toClauseServer,
  WIDGETS,
} from '../clause-server.fixture.ts';

forEachVocabulary('Headers and media types', (test) => {
  test('R106: Accept chooses among JSON, YAML, Protobuf and tables', async ({ server, vocabulary }) => {
    const protobuf = vocabulary.protobufMediaType;
    const table = `application/json;as=Table;g=meta.${vocabulary.groupDomain};v=v1`;
    await server.configMap('x');
    const types = {
      '*/*': 'application/json',
      'application/json': 'application/json',
      'application/yaml': 'application/yaml',
      [protobuf]: protobuf,
      [table]: 'application/json',
      [`application/cbor, ${protobuf}, application/json`]: protobuf,
      [`${table}, application/json`]: 'application/json',
    };
    for (const [accept, type] of Object.entries(types)) {
      const { status, headers } = await server.get(`${CONFIG_MAPS}/x`, { accept });
      expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type });
    }
    expect((await server.get(`${CONFIG_MAPS}/x`)).headers.get('content-type')).toBe('application/json');
    expect((await server.get(`${CONFIG_MAPS}/x`, { accept: table })).body.kind).toBe('Table');
    const yaml = await server.get(`${CONFIG_MAPS}/x`, { accept: 'application/yaml' });
    expect(yaml.text).toContain('\nkind: ConfigMap\n');
  });

  test('R107: Content-Type is the format of a body', async ({ server }) => {
    const body = 'metadata:\n  name: x\n';
    const send = (type: string) =>
      server.send('POST', CONFIG_MAPS, { body, headers: { 'content-type': type } });
    expect(await send('application/json')).toMatchObject({ status: 400 });
    expect(await send('text/plain')).toMatchObject({ status: 415 });
    expect(await send('application/yaml')).toMatchObject({ status: 201 });
    const bytes = new TextEncoder().encode('{"metadata":{"name":"y"}}');
    expect(await server.send('POST', CONFIG_MAPS, { body: bytes })).toMatchObject({ status: 201 });
  });

  test('R108: large responses to get and list are compressed for clients that accept gzip', async ({
    server,
  }) => {
    const value = 'text '.repeat(40_000);
    await server.configMap('large', { data: { value } });
    await server.configMap('small');
    for (const path of [`${CONFIG_MAPS}/large`, CONFIG_MAPS]) {
      const plain = await server.get(path);
      const compressed = await server.get(path, { 'accept-encoding': 'gzip' });
      expect(plain.headers.has('content-encoding')).toBe(false);
      expect(compressed.headers.get('content-encoding')).toBe('gzip');
      expect(new TextDecoder().decode(gunzipSync(compressed.bytes))).toBe(plain.text);
    }
    const small = await server.get(`${CONFIG_MAPS}/small`, { 'accept-encoding': 'gzip' });
    expect(small.headers.has('content-encoding')).toBe(false);
  });

  test('R109: Warning has an entry for each unknown or repeated field', async ({ server }) => {
    const { status, headers } = await server.send('POST', CONFIG_MAPS, {
      body: '{"metadata":{"name":"x","colour":"red"},"size":1,"data":{"a":"b","a":"c"}}',
      headers: { 'content-type': 'application/json' },
    });
    expect(status).toBe(201);
    const warnings = (headers.get('warning') ?? '').split(/, (?=299)/);
    expect(warnings.toSorted()).toEqual([
      '299 - "duplicate field \\"data.a\\""',
      '299 - "unknown field \\"metadata.colour\\""',
      '299 - "unknown field \\"size\\""',
    ]);
    const known = await server.post(CONFIG_MAPS, { metadata: { name: 'y' } });
    expect(known.headers.has('warning')).toBe(false);
  });

  test('R110: Retry-After is the number of seconds before a retry', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const future = Number(metadata.resourceVersion) + 1;
    const refused = await timed.waitFor(timed.get(`${CONFIG_MAPS}/x?resourceVersion=${future}`));
    expect(refused).toMatchObject({ status: 504, body: { details: { retryAfterSeconds: 1 } } });
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  test('R111: nothing acceptable is a 406', async ({ server }) => {
    await server.configMap('x');
    const created = { metadata: { name: 'y' } };
    for (const accept of ['text/html', 'application/cbor', 'image/*, text/plain']) {
      expect(await server.get(`${CONFIG_MAPS}/x`, { accept })).toMatchObject({ status: 406 });
      expect(await server.get(`${CONFIG_MAPS}?watch=1`, { accept })).toMatchObject({ status: 406 });
      expect(await server.post(CONFIG_MAPS, created, { accept })).toMatchObject({ status: 406 });
    }
    expect(await server.get(`${CONFIG_MAPS}/y`)).toMatchObject({ status: 404 });
  });

  test('R112: every built-in type supports JSON', async ({ server, vocabulary }) => {
    const versions = [
      '/api/v1',
      `/apis/coordination.${vocabulary.groupDomain}/v1`,
      `/apis/events.${vocabulary.groupDomain}/v1`,
    ];
    for (const version of versions) {
      const { resources } = (await server.get(version)).body;
      for (const { name, kind, verbs } of resources) {
        if (!verbs.includes('list')) continue;
        const { headers, body } = await server.get(`${version}/${name}`, { accept: 'application/json' });
        expect(headers.get('content-type')).toBe('application/json');
        expect(body.kind).toBe(`${kind}List`);
      }
    }
  });

  test('R113: custom types do not support Protobuf, and fall back to JSON', async ({
    server,
    vocabulary,
  }) => {
    const protobuf = vocabulary.protobufMediaType;
    expect(await server.get(SECRETS, { accept: protobuf })).toMatchObject({ status: 200 });
    expect(await server.get(WIDGETS, { accept: protobuf })).toMatchObject({ status: 406 });
    const both = await server.get(WIDGETS, { accept: `${protobuf}, application/json` });
    expect(both).toMatchObject({ status: 200, body: { kind: 'WidgetList' } });
    const send = { body: new Uint8Array([0x6b, 0x38, 0x73, 0x00]), headers: { 'content-type': protobuf } };
    expect(await server.send('POST', WIDGETS, send)).toMatchObject({ status: 415 });
  });

  test('R115: with the feature gate CBOR is supported: objects, sequences of events, applied configurations', async ({
    vocabulary,
  }) => {
    await using api = await createTestServer({
      ...clauseOptions(vocabulary),
      featureGates: parseFeatureGates('CBORServingAndStorage=true'),
    });
    await prepare(api);
    const server = toClauseServer(api);
    const cbor = { accept: 'application/cbor', 'content-type': 'application/cbor' };
    const made = await server.send('POST', CONFIG_MAPS, { body: cborConfigMap('x', '1'), headers: cbor });
    expect([made.status, made.headers.get('content-type')]).toEqual([201, 'application/cbor']);
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ body: { data: { v: '1' } } });
    const watch = await api.fetch(
      new Request(`http://server${CONFIG_MAPS}?watch=1&resourceVersion=0`, {
        headers: { accept: cbor.accept },
      }),
    );
    expect(watch.headers.get('content-type')).toBe('application/cbor-seq');
    await watch.body?.cancel();
    const apply = (name: string, value: string) =>
      server.send('PATCH', `${CONFIG_MAPS}/${name}?fieldManager=m`, {
        body: cborConfigMap(name, value),
        headers: { 'content-type': 'application/apply-patch+cbor' },
      });
    expect(await apply('y', '2')).toMatchObject({ status: 201, body: { data: { v: '2' } } });
    for (const type of [JSON_PATCH, MERGE_PATCH, STRATEGIC_PATCH])
      expect(await patchInCbor(server, type)).toMatchObject({ status: 415 });
  });

  test('R208: compression is on by default, and disabled by its feature gate', async ({
    server,
    vocabulary,
  }) => {
    await using api = await createTestServer({
      ...clauseOptions(vocabulary),
      featureGates: parseFeatureGates('APIResponseCompression=false'),
    });
    await prepare(api);
    const encoding = async (one: ClauseServer): Promise<string | null> => {
      await one.configMap('large', { data: { value: 'text '.repeat(40_000) } });
      const { headers } = await one.get(`${CONFIG_MAPS}/large`, { 'accept-encoding': 'gzip' });
      return headers.get('content-encoding');
    };
    expect([await encoding(server), await encoding(toClauseServer(api))]).toEqual(['gzip', null]);
  });
});

/** A patch of that kind with a CBOR content type. */
const patchInCbor = (server: ClauseServer, type: string) =>
  server.send('PATCH', `${CONFIG_MAPS}/x`, {
    body: cborConfigMap('x', '3'),
    headers: { 'content-type': type.replace(/json$/, 'cbor') },
  });

/** A ConfigMap in CBOR (RFC 8949), with the self-describing tag: short maps and strings only. */
function cborConfigMap(name: string, value: string): Uint8Array {
  const text = (part: string): number[] => [0x60 + part.length, ...new TextEncoder().encode(part)];
  const map = (...parts: readonly number[][]): number[] => [0xa0 + parts.length / 2, ...parts.flat()];
  const metadata = map(text('name'), text(name));
  const data = map(text('v'), text(value));
  return Uint8Array.of(
    ...[0xd9, 0xd9, 0xf7],
    ...map(
      ...[text('apiVersion'), text('v1')],
      ...[text('kind'), text('ConfigMap')],
      ...[text('metadata'), metadata],
      ...[text('data'), data],
    ),
  );
}
