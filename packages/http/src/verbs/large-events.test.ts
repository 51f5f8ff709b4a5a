import { decodeEnvelope, decodeProtobufEvent, readCborItems, readFrames, readLines } from '@ashlar/codec';
import { orchVocabulary } from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';
import { expect, it } from 'vitest';
import { CountedTurns } from '../testing/counted-turns.fixture.ts';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';
import { SinkQueue } from './sink-queue.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const PROTOBUF = orchVocabulary.protobufMediaType;
const METADATA = 'as=PartialObjectMetadata;g=meta.orch.io;v=v1';
const tagsOf = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`t${i}`, `a value of number ${i} ${'x'.repeat(400)}`]),
  );
const LARGE = 900;

type Frames = (chunks: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;
const textOf = (frame: Uint8Array): string => new TextDecoder().decode(frame);
function protobufText(frame: Uint8Array): string {
  const { apiVersion, kind, raw } = decodeEnvelope(decodeProtobufEvent(frame).object);
  return `"kind":"${kind}" of ${apiVersion}: ${textOf(raw)}`;
}

it.each<[string, string, string, Frames, (frame: Uint8Array) => string]>([
  ['Protobuf', 'Note', PROTOBUF, readFrames, protobufText],
  ['CBOR', '', 'application/cbor', readCborItems, textOf],
  ['metadata in Protobuf', 'PartialObjectMetadata', `${PROTOBUF};${METADATA}`, readFrames, protobufText],
  ['tables', 'Table', 'application/json;as=Table;g=meta.orch.io;v=v1', readLines, textOf],
])('events of large objects in %s are encoded with pauses, in order', async (_, kind, accept, read, show) => {
  const counted = new CountedTurns();
  const api = createTestApi({ encodings: { cbor: true }, ambient: counted.ambient });
  const write = (name: string, tags: number): Promise<unknown> =>
    api.ask('POST', NOTES, { metadata: { name }, text: 'a', tags: tagsOf(tags) });
  const watch = async (): Promise<AsyncIterator<Uint8Array>> => {
    const request = toRequest('GET', `${NOTES}?watch=1`, { headers: { accept } });
    const sink = new SinkQueue();
    const { body } = await api.handler(request);
    (body as (sink: SinkQueue) => void)(sink);
    return read(sink)[Symbol.asyncIterator]();
  };
  for (const [name, tags] of [
    ['first', 1],
    ['second', LARGE],
    ['third', 2],
  ] as const)
    await write(name, tags);
  // what was just written is still decoded
  for (const record of (await api.store.list('/')).records) ObjectRecord.forgetAll(record);
  counted.turns = 0;
  const [one, other] = await Promise.all([watch(), watch()]);
  const received = async (count: number): Promise<readonly string[]> => {
    const frames: string[] = [];
    for (let i = 0; i < count; i++) {
      const [frame, same] = await Promise.all([one.next(), other.next()]);
      expect(Buffer.from(same.value).equals(frame.value)).toBe(true);
      frames.push(show(frame.value as Uint8Array));
    }
    return frames;
  };
  const namesOf = (frames: readonly string[]) => {
    if (kind) for (const frame of frames) expect(frame).toContain(`"kind":"${kind}"`);
    return frames.map((frame) => /first|second|third|fourth|fifth/.exec(frame)?.[0]);
  };
  expect(namesOf(await received(3))).toEqual(['first', 'second', 'third']);
  expect(counted.turns).toBeGreaterThan(0);
  await write('fourth', LARGE);
  await write('fifth', 1);
  expect(namesOf(await received(2))).toEqual(['fourth', 'fifth']);
});

it('events of large objects that have arrived are sent before a server ends a watch', async () => {
  const api = createTestApi({ encodings: { cbor: true } });
  const abort = new AbortController();
  const headers = { accept: 'application/cbor' };
  const { body } = await api.handler(toRequest('GET', `${NOTES}?watch=1`, { headers, signal: abort.signal }));
  const sink = new SinkQueue();
  (body as (sink: SinkQueue) => void)(sink);
  await api.ask('POST', NOTES, { metadata: { name: 'first' }, text: 'a', tags: tagsOf(LARGE) });
  await api.ask('POST', NOTES, { metadata: { name: 'second' }, text: 'a' });
  abort.abort();
  const names: (string | undefined)[] = [];
  for await (const frame of readCborItems(sink)) names.push(/first|second/.exec(textOf(frame))?.[0]);
  expect(names).toEqual(['first', 'second']);
});
