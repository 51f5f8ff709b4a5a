import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { describe, expect, it } from 'vitest';
import { OrderedFrames } from './ordered-frames.ts';
import type { WatchFrames } from './watch-frames.ts';

const codec = { encode: () => new Uint8Array(0), decode: () => ({ kind: '', apiVersion: '', metadata: {} }) };
const recordOf = (name: string, bytes: number): ObjectRecord =>
  new ObjectRecord(name, 1, new Uint8Array(bytes), codec);
const small = (name: string): ObjectRecord => recordOf(name, 100);
const large = (name: string): ObjectRecord => recordOf(name, 30_000_000);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const keyOf = (result: ResultObject): string => (result as ObjectRecord).key;

/** Frames that are texts, of which those of large objects are encoded when the test says so. */
function setUp() {
  const sent: string[] = [];
  const encoding = new Map<string, (frame: Promise<Uint8Array | undefined>) => void>();
  const state = { isOpen: true, pauses: 0 };
  const turns = {
    requestBegan: (): void => {},
    atEndOfTurn: (): void => {},
    pause: async (): Promise<void> => void state.pauses++,
  };
  const frames: WatchFrames = {
    event: (type, result) => bytesOf(`${type} ${keyOf(result)}`),
    bookmark: (version) => bytesOf(`BOOKMARK ${version}`),
    error: () => bytesOf('ERROR'),
    large: {
      is: (result): result is ObjectRecord => ObjectRecord.is(result) && result.stored.length > 1000,
      event: (type, record) => new Promise((resolve) => void encoding.set(`${type} ${record.key}`, resolve)),
    },
  };
  const end = (how: string) => (): void => {
    if (state.isOpen) sent.push(how);
    state.isOpen = false;
  };
  const output = {
    send: (bytes: Uint8Array | undefined): void => {
      if (!bytes) end('end')();
      else if (state.isOpen) sent.push(new TextDecoder().decode(bytes));
    },
    fail: (error: unknown): void => end((error as Error).message)(),
    overflow: end('overflow'),
    isOpen: (): boolean => state.isOpen,
  };
  const ordered = new OrderedFrames(frames, output, { turns });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  const encodedAs = async (frame: string, result: Promise<Uint8Array | undefined>): Promise<void> => {
    encoding.get(frame)?.(result);
    await settled();
  };
  const encoded = (frame: string, failure?: Error): Promise<void> =>
    encodedAs(frame, failure ? Promise.reject(failure) : Promise.resolve(bytesOf(frame)));
  return { ordered, sent, state, encoding, encoded, encodedAs, settled };
}

describe('frames of a watch', () => {
  it('of small objects are sent at once', () => {
    const { ordered, sent } = setUp();
    ordered.event('ADDED', small('a'));
    ordered.bookmark('2', false);
    expect(ordered.whenSent()).toBeUndefined();
    ordered.error(new Error('lost'));
    expect(sent).toEqual(['ADDED a', 'BOOKMARK 2', 'lost']);
  });

  it('that follow one of a large object wait for it, in order', async () => {
    const { ordered, sent, encoding, encoded } = setUp();
    ordered.event('ADDED', small('a'));
    ordered.event('MODIFIED', large('b'));
    ordered.event('DELETED', small('a'));
    ordered.event('DELETED', large('b'));
    ordered.bookmark('5', false);
    const waiting = ordered.whenSent();
    expect([...encoding.keys()]).toEqual(['MODIFIED b']);
    expect(sent).toEqual(['ADDED a']);
    await encoded('MODIFIED b');
    expect(sent).toEqual(['ADDED a', 'MODIFIED b', 'DELETED a']);
    await encoded('DELETED b');
    await waiting;
    ordered.event('ADDED', small('c'));
    expect(sent.slice(3)).toEqual(['DELETED b', 'BOOKMARK 5', 'ADDED c']);
  });

  it('are followed by the error of the watch', async () => {
    const { ordered, sent, encoded } = setUp();
    ordered.event('ADDED', large('a'));
    ordered.error(new Error('lost'));
    await encoded('ADDED a');
    expect(sent).toEqual(['ADDED a', 'lost']);
  });

  it('end with the error of one that cannot be encoded', async () => {
    const { ordered, sent, encoded } = setUp();
    ordered.event('ADDED', large('a'));
    ordered.event('ADDED', small('b'));
    await encoded('ADDED a', new Error('unreadable'));
    expect(sent).toEqual(['unreadable']);
  });

  it('end where an object has no form in the view', async () => {
    const { ordered, sent, encodedAs } = setUp();
    ordered.event('ADDED', large('a'));
    ordered.event('ADDED', small('b'));
    await encodedAs('ADDED a', Promise.resolve(undefined));
    expect(sent).toEqual(['end']);
  });

  it('that waited are sent with pauses', async () => {
    const { ordered, sent, state, encoded } = setUp();
    ordered.event('ADDED', large('a'));
    for (let i = 0; i < 4; i++) ordered.event('ADDED', recordOf(`${i}`, 900));
    ordered.event('ADDED', large('b'));
    await encoded('ADDED a');
    expect([sent.length, state.pauses]).toEqual([5, 1]);
    await encoded('ADDED b');
    expect([sent.length, state.pauses]).toEqual([6, 2]);
  });

  it('that come after the end wait for nothing', () => {
    const { ordered, state } = setUp();
    state.isOpen = false;
    ordered.event('ADDED', large('a'));
    expect(ordered.whenSent()).toBeUndefined();
  });

  it('are not encoded for a watch that has ended', async () => {
    const { ordered, sent, state, encoding, encoded, settled } = setUp();
    ordered.event('ADDED', large('a'));
    ordered.event('ADDED', large('b'));
    state.isOpen = false;
    await encoded('ADDED a');
    await settled();
    expect([sent, [...encoding.keys()]]).toEqual([[], ['ADDED a']]);
  });

  it('end a watch for which too much waits', async () => {
    const { ordered, sent, settled } = setUp();
    for (const name of ['a', 'b']) ordered.event('ADDED', large(name));
    await settled();
    expect(sent).toEqual([]);
    ordered.event('ADDED', large('c'));
    expect(sent).toEqual(['overflow']);
  });
});
