import { decodeEnvelope } from '@ashlar/codec';
import type { ByteSink, ServerResponse } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import { createTestApi, type TestApi, toRequest, type WireObject } from '../testing/test-api.fixture.ts';
import { notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';

/** A reader of a stream that reads only on demand. */
class Reader implements ByteSink {
  readonly chunks: Uint8Array[] = [];
  /** Number of written bytes that stay unread; a slow reader's grow. */
  slow = false;
  buffered = 0;
  ending: 'end' | 'cut' | undefined;
  readonly #closing: (() => void)[] = [];

  write(bytes: Uint8Array): boolean {
    this.chunks.push(bytes);
    if (this.slow) this.buffered += bytes.length;
    return !this.slow;
  }
  readonly #draining: (() => void)[] = [];
  onDrain(call: () => void): void {
    this.#draining.push(call);
  }
  /** Reads everything that is buffered. */
  async drain(): Promise<void> {
    this.buffered = 0;
    for (const call of this.#draining.splice(0)) call();
    await settled();
  }
  onClose(call: () => void): void {
    this.#closing.push(call);
  }
  end(): void {
    this.ending ??= 'end';
    this.leave();
  }
  destroy(): void {
    this.ending ??= 'cut';
    this.leave();
  }
  leave(): void {
    for (const call of this.#closing.splice(0)) call();
  }

  get events(): { readonly type: string; readonly object: WireObject }[] {
    const text = this.chunks.map((chunk) => new TextDecoder().decode(chunk)).join('');
    return text.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
  }
  get received(): string[] {
    return this.events.map(
      ({ type, object }) => `${type} ${object.metadata?.name ?? object.metadata?.resourceVersion}`,
    );
  }
}

/** A reader of a stream that is flushed on demand. */
class FlushedReader extends Reader {
  #sources: (() => void)[] = [];
  beforeFlush(call: () => void): void {
    this.#sources.push(call);
  }
  flush(): void {
    for (const call of this.#sources.splice(0)) call();
  }
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

async function watch(
  api: TestApi,
  query: string,
  {
    headers = {},
    reader = new Reader(),
    signal,
    path = NOTES,
  }: {
    headers?: Record<string, string>;
    reader?: Reader;
    signal?: AbortSignal;
    path?: string;
  } = {},
): Promise<{ reader: Reader; response: ServerResponse }> {
  const request = toRequest('GET', `${path}?watch=1&${query}`, { headers, ...(signal && { signal }) });
  const response = await api.handler(request);
  if (typeof response.body === 'function') response.body(reader);
  await settled();
  return { reader, response };
}

async function withNotes(...names: readonly string[]): Promise<TestApi> {
  const api = createTestApi();
  for (const name of names) await write(api, name);
  return api;
}

const write = (api: TestApi, name: string, labels: Record<string, string> = {}): Promise<unknown> =>
  api.ask('POST', NOTES, { metadata: { name, labels } });

describe('a watch', () => {
  it('sends initial events, then changes', async () => {
    const api = await withNotes('a');
    const { reader, response } = await watch(api, '');
    expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    await write(api, 'b');
    await api.ask('PUT', `${NOTES}/a`, { metadata: { name: 'a' }, text: 't' });
    await api.ask('DELETE', `${NOTES}/b`);
    await settled();
    expect(reader.received).toEqual(['ADDED a', 'ADDED b', 'MODIFIED a', 'DELETED b']);
    const revisions = reader.events.map(({ object }) => Number(object.metadata.resourceVersion));
    expect(revisions).toEqual([2, 3, 4, 5]);
    expect(reader.events[0]?.object).toMatchObject({ kind: 'Note', apiVersion: 'v1' });
  });

  it('as lists ends at the first event, which is none', async () => {
    const headers = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1' };
    const api = await withNotes();
    const { reader, response } = await watch(api, '', { headers });
    expect([response.status, reader.ending]).toEqual([200, undefined]);
    await write(api, 'a');
    await settled();
    expect([reader.ending, reader.received]).toEqual(['end', []]);
    const initial = await watch(api, '', { headers });
    expect([initial.reader.ending, initial.reader.received]).toEqual(['end', []]);
  });

  it('as lists fails where a bookmark ends the initial events before any of them', async () => {
    const headers = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.orch.io;v=v1' };
    const { reader } = await watch(createTestApi(), 'allowWatchBookmarks=1', { headers });
    expect(reader.events).toMatchObject([
      { type: 'ERROR', object: { code: 500, message: 'no kind is registered for the type v1.NoteList' } },
    ]);
    expect(reader.ending).toBe('end');
    const ended = await watch(await withNotes('a'), 'allowWatchBookmarks=1', { headers });
    expect([ended.reader.ending, ended.reader.received]).toEqual(['end', []]);
  });

  it('of a type that is only listed is refused by its handler, not by its route', async () => {
    const storage = { list: () => ({ items: [], resourceVersion: '' }) };
    const warning = 'v1 Note is deprecated';
    const versions = notes.versions.map((version) => ({ ...version, warning }));
    const api = createTestApi({ definitions: [{ ...notes, versions, storage }] });
    const { status, json, headers } = await api.ask('GET', `${NOTES}?watch=1`);
    expect([status, json.message]).toEqual([405, 'watch is not supported on resources of kind "notes"']);
    expect(headers.warning).toEqual([`299 - "${warning}"`]);
    const accept = { accept: 'application/json;as=Table;v=v1' };
    expect((await api.ask('GET', `${NOTES}?watch=1`, { headers: accept })).status).toBe(406);
    expect((await api.ask('GET', `${NOTES}?watch=1&labelSelector=,`)).status).toBe(400);
  });

  it('sends changes when its stream is flushed, in one piece that all such watches share', async () => {
    const api = await withNotes('a');
    const readers = [new FlushedReader(), new FlushedReader()] as const;
    for (const reader of readers) await watch(api, '', { reader });
    await write(api, 'b');
    await api.ask('DELETE', `${NOTES}/a`);
    await settled();
    expect(readers.map(({ received }) => received)).toEqual([['ADDED a'], ['ADDED a']]);
    for (const reader of readers) reader.flush();
    const all = ['ADDED a', 'ADDED b', 'DELETED a'];
    expect(readers.map(({ received }) => received)).toEqual([all, all]);
    expect(readers[0].chunks).toHaveLength(2);
    expect(readers[0].chunks[1]).toBe(readers[1].chunks[1]);
  });

  it('sends selected changes when its stream is flushed', async () => {
    const api = await withNotes();
    const reader = new FlushedReader();
    await watch(api, 'labelSelector=x%3Dy', { reader });
    await write(api, 'a', { x: 'y' });
    await write(api, 'b');
    await api.ask('PUT', `${NOTES}/a`, { metadata: { name: 'a' } });
    await settled();
    reader.flush();
    expect(reader.received).toEqual(['ADDED a', 'DELETED a']);
  });

  it('sends the changes that wait for a flush before it ends', async () => {
    const abort = new AbortController();
    const api = await withNotes();
    const reader = new FlushedReader();
    await watch(api, '', { reader, signal: abort.signal });
    await write(api, 'a');
    await settled();
    abort.abort();
    expect([reader.ending, reader.received]).toEqual(['end', ['ADDED a']]);
    reader.flush();
    expect(reader.received).toHaveLength(1);
  });

  it('starts after a resource version', async () => {
    const api = await withNotes('a', 'b', 'c');
    expect((await watch(api, 'resourceVersion=3')).reader.received).toEqual(['ADDED c']);
    expect(
      (await watch(api, 'sendInitialEvents=0&resourceVersionMatch=NotOlderThan')).reader.received,
    ).toEqual([]);
  });

  it('sends objects that enter or leave a selection', async () => {
    const api = await withNotes();
    const { reader } = await watch(api, 'labelSelector=a%3Db');
    await write(api, 'n', { a: 'b' });
    await write(api, 'other');
    const label = async (value: string): Promise<unknown> =>
      api.ask('PUT', `${NOTES}/n`, { metadata: { name: 'n', labels: { a: value } }, text: value });
    await label('c');
    await label('d');
    await label('b');
    await settled();
    expect(reader.received).toEqual(['ADDED n', 'DELETED n', 'ADDED n']);
    const left = reader.events[1]?.object.metadata;
    expect([left?.labels, left?.resourceVersion]).toEqual([{ a: 'b' }, '4']);
  });

  it('of one object equals that of the collection with its name', async () => {
    const api = await withNotes('a', 'b');
    const { reader } = await watch(api, '', { path: `${NOTES}/a` });
    await api.ask('DELETE', `${NOTES}/b`);
    await api.ask('DELETE', `${NOTES}/a`);
    await settled();
    expect(reader.received).toEqual(['ADDED a', 'DELETED a']);
    const contrary = await api.ask('GET', `${NOTES}/a?watch=1&fieldSelector=metadata.name%3Db`);
    expect([contrary.status, contrary.json.message]).toEqual([
      400,
      "fieldSelector metadata.name doesn't match requested name",
    ]);
  });

  it('ends after its timeout', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'timeoutSeconds=10');
    api.clock.advance(9999);
    expect(reader.ending).toBeUndefined();
    api.clock.advance(1);
    expect(reader.ending).toBe('end');
    await write(api, 'b');
    await settled();
    expect(reader.received).toEqual(['ADDED a']);
  });

  it.each(['-1', '9223372036854775807'])(
    'ends at once if %s seconds are over before it begins',
    async (seconds) => {
      const { reader } = await watch(await withNotes('a'), `timeoutSeconds=${seconds}`);
      expect([reader.ending, reader.received]).toEqual(['end', []]);
    },
  );

  it('ends by itself within an hour', async () => {
    const { reader } = await watch(await withNotes(), '');
    const api = await withNotes();
    const other = await watch(api, '');
    api.clock.advance(1_800_000 - 1);
    expect(other.reader.ending).toBeUndefined();
    api.clock.advance(1_800_001);
    expect([other.reader.ending, reader.ending]).toEqual(['end', undefined]);
  });

  it('ends by itself within twice the minimum', async () => {
    const api = createTestApi({ minimumWatchSeconds: 60 });
    const { reader } = await watch(api, '');
    api.clock.advance(60_000 - 1);
    expect(reader.ending).toBeUndefined();
    api.clock.advance(60_001);
    expect(reader.ending).toBe('end');
  });

  it('ends when its caller disconnects', async () => {
    const api = await withNotes();
    const abort = new AbortController();
    const { reader } = await watch(api, '', { signal: abort.signal });
    abort.abort();
    expect(reader.ending).toBe('end');
    expect((await watch(api, '', { signal: abort.signal })).reader.ending).toBe('end');
    const left = await watch(api, '');
    left.reader.leave();
    await write(api, 'a');
    await settled();
    expect([reader.received, left.reader.received]).toEqual([[], []]);
  });

  it('closes a reader that is too far behind, and no other', async () => {
    const api = await withNotes();
    const slow = (await watch(api, '')).reader;
    const quick = (await watch(api, '')).reader;
    slow.slow = true;
    for (let i = 0; i < 6; i++) {
      await api.ask('POST', NOTES, { metadata: { name: `n${i}` }, text: 'x'.repeat(1_000_000) });
      await settled();
    }
    expect([slow.ending, slow.chunks.length]).toEqual(['cut', 5]);
    expect([quick.ending, quick.chunks.length]).toEqual([undefined, 6]);
  });

  it('encodes one frame for all watchers of an event', async () => {
    const api = await withNotes();
    const readers = [];
    for (let i = 0; i < 3; i++) readers.push((await watch(api, '')).reader);
    await write(api, 'a');
    await settled();
    const [first, ...others] = readers.map(({ chunks }) => chunks[0]);
    expect(first).toBeInstanceOf(Uint8Array);
    for (const other of others) expect(other).toBe(first);
  });

  /** Six large objects, and a reader that reads nothing. */
  async function unread(): Promise<{ api: TestApi; reader: Reader }> {
    const api = createTestApi();
    for (let i = 0; i < 6; i++)
      await api.ask('POST', NOTES, { metadata: { name: `n${i}` }, text: 'x'.repeat(300_000) });
    const reader = new Reader();
    reader.slow = true;
    return { api, reader };
  }

  it('waits for a slow reader of the initial events, and then continues', async () => {
    const { api, reader } = await unread();
    await watch(api, 'sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1', {
      reader,
    });
    expect(reader.chunks.length).toBe(2);
    await write(api, 'a');
    await settled();
    expect([reader.ending, reader.chunks.length]).toEqual([undefined, 2]);
    await reader.drain();
    expect(reader.chunks.length).toBe(4);
    await reader.drain();
    expect(reader.chunks.length).toBe(6);
    await reader.drain();
    const initial = ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'].map((name) => `ADDED ${name}`);
    expect(reader.received).toEqual([...initial, 'BOOKMARK 7', 'ADDED a']);
  });

  it('closes a reader that reads no initial events for two minutes', async () => {
    const { api, reader } = await unread();
    await watch(api, '', { reader });
    api.clock.advance(119_999);
    expect(reader.ending).toBeUndefined();
    api.clock.advance(1);
    await settled();
    expect([reader.ending, reader.chunks.length]).toEqual(['cut', 2]);
    expect(api.clock.pending()).toEqual([]);
  });

  it('stops encoding for a reader that disconnects during the initial events', async () => {
    const { api, reader } = await unread();
    await watch(api, '', { reader });
    reader.leave();
    await settled();
    await write(api, 'a');
    await settled();
    expect([reader.chunks.length, api.engine.usage?.().watches]).toEqual([2, 0]);
    expect(api.clock.pending()).toEqual([]);
  });

  it('sends an ERROR for a compacted version, and ends', async () => {
    const api = await withNotes('a', 'b', 'c');
    api.engine.compact(4);
    const { reader, response } = await watch(api, 'resourceVersion=1');
    expect([response.status, reader.ending]).toEqual([200, 'end']);
    expect(reader.events).toMatchObject([
      {
        type: 'ERROR',
        object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version: 1 (4)' },
      },
    ]);
  });

  it('sends an ERROR if it cannot start in time', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(
      api,
      'resourceVersion=99&sendInitialEvents=1&resourceVersionMatch=NotOlderThan',
    );
    expect(reader.events).toEqual([]);
    api.clock.advance(3000);
    await settled();
    expect(reader.events).toMatchObject([{ type: 'ERROR', object: { code: 504, reason: 'Timeout' } }]);
    expect(reader.ending).toBe('end');
  });

  it('reports an unexpected error, whose text its client does not get', async () => {
    const api = await withNotes('a');
    const error = new TypeError('a bug');
    vi.spyOn(api.store, 'watch').mockImplementation(() => {
      throw error;
    });
    const { reader } = await watch(api, 'resourceVersion=1');
    expect(reader.events).toMatchObject([{ type: 'ERROR', object: { code: 500, reason: 'InternalError' } }]);
    expect(JSON.stringify(reader.events)).not.toContain('a bug');
    expect(api.faults).toEqual([error]);
  });
});

describe('bookmarks', () => {
  it('are sent every minute, and shortly before the end', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'resourceVersion=2&allowWatchBookmarks=1&timeoutSeconds=90');
    await write(api, 'b');
    for (const seconds of [59, 1, 27, 1]) {
      api.clock.advance(seconds * 1000);
      await settled();
    }
    expect(reader.received).toEqual(['ADDED b', 'BOOKMARK 3', 'BOOKMARK 3']);
    expect(reader.events[1]?.object).toEqual({
      kind: 'Note',
      apiVersion: 'v1',
      metadata: { resourceVersion: '3' },
    });
    api.clock.advance(2000);
    expect(reader.ending).toBe('end');
  });

  it('follow all events before them', async () => {
    const api = await withNotes();
    const { reader } = await watch(api, 'allowWatchBookmarks=1&labelSelector=a');
    for (let i = 0; i < 20; i++) {
      void write(api, `n${i}`, { a: 'b' });
      if (i % 3 !== 0) continue;
      // a concurrent write would be late
      await settled();
      api.clock.advance(60_000);
    }
    await settled();
    api.clock.advance(60_000);
    await settled();
    let received = 0;
    for (const { type, object } of reader.events) {
      const revision = Number(object.metadata.resourceVersion);
      if (type === 'BOOKMARK') expect(revision).toBeGreaterThanOrEqual(received);
      else expect(revision).toBeGreaterThan(received);
      received = revision;
    }
    expect(reader.events.filter(({ type }) => type === 'ADDED')).toHaveLength(20);
  });

  it('are sent only on request', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'resourceVersion=2');
    api.clock.advance(600_000);
    await settled();
    expect(reader.received).toEqual([]);
  });

  it('stop with the watch', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'resourceVersion=2&allowWatchBookmarks=1');
    reader.leave();
    api.clock.advance(600_000);
    await settled();
    expect(reader.received).toEqual([]);
  });

  it('mark the end of the initial events, with an empty list to decode the rest by', async () => {
    const api = await withNotes('a', 'b');
    const query = 'sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
    const { reader } = await watch(api, query);
    expect(reader.received).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK 3']);
    const annotations = reader.events[2]?.object.metadata.annotations ?? {};
    expect(annotations['orch.io/initial-events-end']).toBe('true');
    const blueprint = atob(annotations['orch.io/initial-events-list-blueprint'] ?? '');
    expect(blueprint).toBe('{"kind":"NoteList","apiVersion":"v1","metadata":{},"items":null}\n');
  });

  it('mark it for custom kinds with a list as theirs are written, without metadata', async () => {
    const query = 'sendInitialEvents=1&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=1';
    const path = '/apis/example.com/v1/namespaces/x/widgets';
    const { reader } = await watch(createTestApi(), query, { path });
    const { metadata, ...rest } = reader.events[0]?.object ?? {};
    const { annotations = {} } = metadata ?? {};
    expect([...Object.keys(rest), ...Object.keys(metadata ?? {})]).toEqual([
      ...['apiVersion', 'kind'],
      ...['annotations', 'resourceVersion'],
    ]);
    expect(atob(annotations['orch.io/initial-events-list-blueprint'] ?? '')).toBe(
      '{"apiVersion":"example.com/v1","items":[],"kind":"WidgetList"}\n',
    );
  });
});

describe('the bookmark that ends the initial events', () => {
  it.each(['', 'resourceVersion=0', 'resourceVersion='])(
    'is sent where they are implied: %j',
    async (query) => {
      const { reader } = await watch(await withNotes('a', 'b'), `allowWatchBookmarks=1&${query}`);
      expect(reader.received).toEqual(['ADDED a', 'ADDED b', 'BOOKMARK 3']);
      expect(reader.events[2]?.object.metadata.annotations).toMatchObject({
        'orch.io/initial-events-end': 'true',
      });
    },
  );

  it.each([
    'allowWatchBookmarks=1&resourceVersion=2',
    'allowWatchBookmarks=1&sendInitialEvents=0&resourceVersionMatch=NotOlderThan',
    'resourceVersion=0',
  ])('is not sent without them, or if nobody asked for bookmarks: %s', async (query) => {
    const { reader } = await watch(await withNotes('a', 'b'), query);
    expect(reader.events.filter(({ type }) => type === 'BOOKMARK')).toEqual([]);
  });

  it('is not sent at deprecated paths, whose options are those of a list', async () => {
    const api = await withNotes('a');
    const path = NOTES.replace('/v1/', '/v1/watch/');
    const { body } = await api.handler(toRequest('GET', `${path}?allowWatchBookmarks=1`));
    const reader = new Reader();
    if (typeof body === 'function') body(reader);
    await settled();
    expect(reader.received).toEqual(['ADDED a']);
  });
});

describe('views of a watch', () => {
  const as = (kind: string): Record<string, string> => ({
    accept: `application/json;as=${kind};g=meta.orch.io;v=v1`,
  });

  it('are tables of one row, with columns in the first', async () => {
    const api = await withNotes('a', 'b');
    const { reader } = await watch(api, '', { headers: as('Table') });
    expect(reader.events.map(({ object }) => object.rows)).toMatchObject([
      [{ cells: ['a', null] }],
      [{ cells: ['b', null] }],
    ]);
    expect(reader.events[0]?.object.columnDefinitions).toHaveLength(2);
    expect(reader.events[1]?.object.columnDefinitions).toBeNull();
  });

  it('include the requested part of the objects in rows', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'includeObject=None', { headers: as('Table') });
    expect(reader.events[0]?.object.rows).toMatchObject([{ object: null }]);
    const refused = await api.ask('GET', `${NOTES}?watch=1&includeObject=x`, { headers: as('Table') });
    expect(refused.status).toBe(400);
    expect((await watch(api, 'includeObject=x')).reader.received).toEqual(['ADDED a']);
  });

  it('cannot be tables with initial bookmarks', async () => {
    const api = await withNotes('a');
    const asked = { headers: as('Table') };
    expect((await api.ask('GET', `${NOTES}?watch=1&allowWatchBookmarks=1`, asked)).status).toBe(406);
    const { reader } = await watch(api, 'resourceVersion=2&allowWatchBookmarks=1', asked);
    api.clock.advance(60_000);
    await settled();
    expect(reader.events).toMatchObject([
      { type: 'BOOKMARK', object: { kind: 'Table', metadata: { resourceVersion: '2' } } },
    ]);
  });

  it('are metadata, including bookmarks', async () => {
    const api = await withNotes('a');
    const { reader } = await watch(api, 'allowWatchBookmarks=1', { headers: as('PartialObjectMetadata') });
    api.clock.advance(60_000);
    await settled();
    expect(reader.events.map(({ type, object }) => [type, object.kind])).toEqual([
      ['ADDED', 'PartialObjectMetadata'],
      ['BOOKMARK', 'PartialObjectMetadata'],
      ['BOOKMARK', 'PartialObjectMetadata'],
    ]);
  });

  it('are Protobuf, each event length-prefixed', async () => {
    const api = await withNotes('a');
    const { reader, response } = await watch(api, '', {
      headers: { accept: 'application/vnd.orch.protobuf' },
    });
    expect(response.headers['content-type']).toBe('application/vnd.orch.protobuf;stream=watch');
    const [frame = new Uint8Array()] = reader.chunks;
    expect(new DataView(frame.buffer, frame.byteOffset).getUint32(0)).toBe(frame.length - 4);
    const start = frame.findIndex(
      (_, i) => frame[i] === 0x6b && frame[i + 1] === 0x38 && frame[i + 2] === 0x73,
    );
    expect(decodeEnvelope(frame.subarray(start))).toMatchObject({ kind: 'Note', apiVersion: 'v1' });
  });
});
