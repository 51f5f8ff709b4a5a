import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { SinkQueue } from '../verbs/sink-queue.ts';
import type { Compress } from './compressed-response.ts';

const NOTES = '/api/v1/namespaces/x/notes';

/** The compression that every host of web standards has. */
const gzip: Compress = (pieces) =>
  new Blob([...pieces] as Uint8Array<ArrayBuffer>[]).stream().pipeThrough(new CompressionStream('gzip'));

const gunzip = (bytes: Uint8Array): Promise<string> =>
  new Response(
    new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(new DecompressionStream('gzip')),
  ).text();

/** A server with notes of that total length. */
async function withNotes(bytes: number, compress: Compress | null = gzip): Promise<TestApi> {
  const api = createTestApi({ encodings: { cbor: true }, ...(compress && { compress }) });
  for (const [name, length] of [
    ['a', 100],
    ['b', bytes - 100],
  ] as const)
    await api.ask('POST', NOTES, { metadata: { name }, text: 'x'.repeat(length) });
  return api;
}

/** The response as a listener would send it. */
async function send(
  api: TestApi,
  path: string,
  headers: Record<string, string>,
): Promise<{ headers: Readonly<Record<string, unknown>>; bytes: Uint8Array }> {
  const response = await api.handler(toRequest('GET', path, { headers }));
  if (typeof response.body !== 'function') return { headers: response.headers, bytes: new Uint8Array(0) };
  const queue = new SinkQueue();
  response.body(queue);
  const chunks: Uint8Array[] = [];
  for await (const chunk of queue) chunks.push(chunk);
  return {
    headers: response.headers,
    bytes: new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer()),
  };
}

describe('long responses', () => {
  it.each(['application/json', 'application/yaml', 'application/vnd.orch.protobuf'])(
    'are compressed for %s',
    async (accept) => {
      const api = await withNotes(140_000);
      for (const path of [NOTES, `${NOTES}/b`]) {
        const plain = await api.ask('GET', path, { headers: { accept } });
        expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, undefined]);
        const { headers, bytes } = await send(api, path, { accept, 'accept-encoding': 'deflate, gzip' });
        expect(headers).toMatchObject({
          'content-encoding': 'gzip',
          vary: 'Accept-Encoding',
          'content-type': accept,
        });
        expect(await gunzip(bytes)).toBe(plain.text);
      }
    },
  );

  it.each(['', 'gzip;q=1', 'GZIP', 'deflate', '*'])('are not compressed for %j', async (asked) => {
    const api = await withNotes(140_000);
    const { headers } = await send(api, NOTES, { 'accept-encoding': asked });
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });

  it('are not compressed in CBOR, and if the host cannot compress', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const cbor = await send(await withNotes(140_000), NOTES, { ...headers, accept: 'application/cbor' });
    expect(cbor.headers['content-encoding']).toBeUndefined();
    const plain = await send(await withNotes(140_000, null), NOTES, headers);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it('of writes are compressed too', async () => {
    const api = await withNotes(200);
    const body = JSON.stringify({ metadata: { name: 'c' }, text: 'x'.repeat(140_000) });
    const headers = { 'content-type': 'application/json', 'accept-encoding': 'gzip' };
    const response = await api.handler(toRequest('POST', NOTES, { headers, body }));
    expect([response.status, response.headers['content-encoding']]).toEqual([201, 'gzip']);
  });
});

describe('other responses', () => {
  it('up to 128 KiB are not compressed', async () => {
    const api = await withNotes(100_000);
    const length = (await api.ask('GET', NOTES)).bytes.length;
    const exact = await withNotes(100_000 + 131_072 - length);
    expect((await exact.ask('GET', NOTES)).bytes).toHaveLength(131_072);
    const headers = { 'accept-encoding': 'gzip' };
    expect((await send(exact, NOTES, headers)).headers['content-encoding']).toBeUndefined();
    const longer = await withNotes(100_001 + 131_072 - length);
    expect((await send(longer, NOTES, headers)).headers['content-encoding']).toBe('gzip');
  });

  it('of watches are not compressed', async () => {
    const api = await withNotes(140_000);
    const watch = await api.handler(
      toRequest('GET', `${NOTES}?watch=1`, { headers: { 'accept-encoding': 'gzip' } }),
    );
    expect(watch.headers['content-encoding']).toBeUndefined();
  });
});

describe('compressing', () => {
  it('resets the response and reports the error if it fails', async () => {
    const broken = new Error('broken');
    const api = await withNotes(140_000, async function* fail() {
      yield Uint8Array.of(1);
      throw broken;
    });
    await expect(send(api, NOTES, { 'accept-encoding': 'gzip' })).rejects.toThrow('the stream was destroyed');
    expect(api.faults).toEqual([broken]);
  });

  it('waits for slow readers and stops when they disconnect', async () => {
    let made = 0;
    let ended = false;
    const api = await withNotes(140_000, async function* endless() {
      try {
        for (;;) {
          made++;
          yield new Uint8Array(600_000);
        }
      } finally {
        ended = true;
      }
    });
    const { body } = await api.handler(toRequest('GET', NOTES, { headers: { 'accept-encoding': 'gzip' } }));
    const queue = new SinkQueue();
    if (typeof body === 'function') body(queue);
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(made).toBe(2);
    queue.destroy();
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    expect(ended).toBe(true);
  });
});
