import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, SECRETS, WIDGETS } from './clause-server.fixture.ts';

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

  test('R107: Content-Type says how a body is written', async ({ server }) => {
    const body = 'metadata:\n  name: x\n';
    const send = (type: string) =>
      server.send('POST', CONFIG_MAPS, { body, headers: { 'content-type': type } });
    expect(await send('application/json')).toMatchObject({ status: 400 });
    expect(await send('text/plain')).toMatchObject({ status: 415 });
    expect(await send('application/yaml')).toMatchObject({ status: 201 });
    const bytes = new TextEncoder().encode('{"metadata":{"name":"y"}}');
    expect(await server.send('POST', CONFIG_MAPS, { body: bytes })).toMatchObject({ status: 201 });
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

  test('R110: Retry-After says after how many seconds to come again', async ({ timed }) => {
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

  test('R112: every built-in type speaks JSON', async ({ server, vocabulary }) => {
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

  test("R113: users' types have no Protobuf, and fall back to JSON", async ({ server, vocabulary }) => {
    const protobuf = vocabulary.protobufMediaType;
    expect(await server.get(SECRETS, { accept: protobuf })).toMatchObject({ status: 200 });
    expect(await server.get(WIDGETS, { accept: protobuf })).toMatchObject({ status: 406 });
    const both = await server.get(WIDGETS, { accept: `${protobuf}, application/json` });
    expect(both).toMatchObject({ status: 200, body: { kind: 'WidgetList' } });
    const send = { body: new Uint8Array([0x6b, 0x38, 0x73, 0x00]), headers: { 'content-type': protobuf } };
    expect(await server.send('POST', WIDGETS, send)).toMatchObject({ status: 415 });
  });
});
