import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary } from '../clause-server.fixture.ts';

const PREFIX = [0x6b, 0x38, 0x73, 0x00];

forEachVocabulary('Protobuf envelope', (test) => {
  test('R049: a body begins with four bytes', async ({ server, vocabulary }) => {
    const accept = vocabulary.protobufMediaType;
    await server.configMap('x');
    for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/x`, `${CONFIG_MAPS}/none`]) {
      const { headers, bytes } = await server.get(path, { accept });
      expect(headers.get('content-type')).toBe(accept);
      expect([...bytes.slice(0, 4)]).toEqual(PREFIX);
    }
  });

  test('R050: what follows is a message with the type and the bytes of the object', async ({
    server,
    vocabulary,
  }) => {
    await server.configMap('x', { data: { key: 'value' } });
    const { bytes } = await server.get(`${CONFIG_MAPS}/x`, { accept: vocabulary.protobufMediaType });
    const fields = readFields(bytes.subarray(4));
    expect([...fields.keys()].filter((field) => field > 2 && fields.get(field)?.length)).toEqual([]);
    const [metadata, data] = [1, 2].map((field) => readFields(fields.get(2) as Uint8Array).get(field));
    expect(textOf(readFields(metadata as Uint8Array).get(1))).toBe('x');
    const entry = readFields(data as Uint8Array);
    expect([textOf(entry.get(1)), textOf(entry.get(2))]).toEqual(['key', 'value']);
  });

  test('R051: the type is an apiVersion and a kind', async ({ server, vocabulary }) => {
    const group = `coordination.${vocabulary.groupDomain}`;
    const leases = `/apis/${group}/v1/namespaces/a/leases`;
    await server.post(leases, { metadata: { name: 'x' } });
    for (const [path, kind] of [
      [leases, 'LeaseList'],
      [`${leases}/x`, 'Lease'],
    ] as const) {
      const { bytes } = await server.get(path, { accept: vocabulary.protobufMediaType });
      const type = readFields(readFields(bytes.subarray(4)).get(1) as Uint8Array);
      expect([textOf(type.get(1)), textOf(type.get(2))]).toEqual([`${group}/v1`, kind]);
    }
  });

  test('R052: another prefix is rejected', async ({ server, vocabulary }) => {
    const headers = { 'content-type': vocabulary.protobufMediaType };
    const described = { metadata: { name: 'x' } };
    const accept = { accept: vocabulary.protobufMediaType };
    const { bytes } = await server.post(`${CONFIG_MAPS}?dryRun=All`, described, accept);
    const send = async (body: Uint8Array) =>
      server.send('PUT', `${CONFIG_MAPS}/x`, { body: body as Uint8Array<ArrayBuffer>, headers });
    await server.configMap('x');
    for (let at = 0; at < PREFIX.length; at++) {
      const changed = bytes.slice();
      changed[at] = 0x01;
      expect(await send(changed)).toMatchObject({ status: 400 });
    }
    expect(await send(bytes.subarray(4))).toMatchObject({ status: 400 });
  });
});

/** The last value of each field that has a length; numbers are skipped. */
function readFields(bytes: Uint8Array): ReadonlyMap<number, Uint8Array> {
  const fields = new Map<number, Uint8Array>();
  for (let at = 0; at < bytes.length; ) {
    const key = readNumber(bytes, at);
    const { value, end } = readNumber(bytes, key.end);
    if ((key.value & 7) === 2) fields.set(key.value >> 3, bytes.subarray(end, end + value));
    else expect(key.value & 7).toBe(0);
    at = (key.value & 7) === 2 ? end + value : end;
  }
  return fields;
}

function readNumber(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
}

const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
