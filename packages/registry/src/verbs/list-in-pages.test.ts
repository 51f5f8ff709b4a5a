import { type Ambient, type ApiObject, kubernetesVocabulary } from '@ashlar/core';
import {
  createMemoryStore,
  createObjectStore,
  type ListOptions,
  type ObjectStore,
  RecordIndex,
} from '@ashlar/storage';
import { beforeAll, describe, expect, it } from 'vitest';
import { listInPages } from './list-in-pages.ts';

const codec = {
  encode: (object: ApiObject) => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};
const NUMBER = 12_500;
const nameOf = (i: number): string => `n${String(i).padStart(5, '0')}`;

/** Each reading of the clock is a second after the one before: all work is slow. */
function slowAmbient(turn: () => unknown): Ambient {
  let now = 0;
  const clock = {
    now: () => 0,
    monotonic: () => {
      now += 1000;
      return now;
    },
    setTimer: () => ({ clear: () => {} }),
  };
  const pause = async (): Promise<void> => void (await turn());
  const turns = { pause, requestBegan: () => {}, atEndOfTurn: () => {} };
  return { clock, turns, random: { bytes: (a: Uint8Array) => a }, vocabulary: kubernetesVocabulary };
}

describe('a long list', () => {
  const clock = { now: () => 0, monotonic: () => 0, setTimer: () => ({ clear: () => {} }) };
  const store = createObjectStore(createMemoryStore({ clock }), { codec, clock });
  const asked: ListOptions[] = [];
  const watched: ObjectStore = new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'list') return typeof value === 'function' ? value.bind(target) : value;
      return (prefix: string, options: ListOptions) => {
        asked.push(options);
        return target.list(prefix, options);
      };
    },
  });
  const write = (name: string, labels: Record<string, string> = {}): Promise<unknown> =>
    store.update(`/a/${name}`, () => ({
      action: 'write',
      object: { apiVersion: 'v1', kind: 'A', metadata: { name, labels } },
    }));
  beforeAll(async () => {
    for (let i = 0; i < NUMBER; i++) await write(nameOf(i), { third: String(i % 3) });
  });

  async function list(options: ListOptions, turn: () => unknown = () => {}) {
    asked.length = 0;
    let turns = 0;
    const ambient = slowAmbient(async () => {
      turns++;
      await turn();
    });
    const result = await listInPages({ store: watched, ambient }, '/a/', options);
    return { ...result, keys: result.records.map(({ key }) => key), turns };
  }

  it('is read in pages of one revision, between which other work runs', async () => {
    const { keys, remaining, revision, turns } = await list({}, () => write('later'));
    expect(keys).toEqual(Array.from({ length: NUMBER }, (_, i) => `/a/${nameOf(i)}`));
    expect([remaining, revision, turns]).toEqual([0, NUMBER + 1, 1]);
    expect(asked.map(({ limit, atRevision }) => [limit, atRevision])).toEqual([
      [10_000, undefined],
      [10_000, NUMBER + 1],
    ]);
  });

  it('has an identity if it is one page', async () => {
    const label = new RecordIndex('/a/', ({ labels }) => (labels.third === undefined ? [] : [labels.third]));
    const select = { conditions: [{ index: label, anyOf: ['1'] }] };
    const { identity, keys } = await list({ select });
    expect([identity !== undefined, keys.length]).toEqual([true, Math.ceil((NUMBER - 1) / 3)]);
    expect((await list({ select })).identity).toBe(identity);
    expect((await list({ select: { ...select, matches: () => true } })).identity).toBeUndefined();
    expect((await list({ select, limit: 2000 })).identity).toBeUndefined();
    expect((await list({})).identity).toBeUndefined();
  });

  it('that is short is read at once', async () => {
    const { keys, remaining, turns } = await list({ limit: 500 });
    expect([keys.length, remaining, turns, asked]).toEqual([500, NUMBER + 1 - 500, 0, [{ limit: 500 }]]);
  });

  it('equals the list of the store', async () => {
    const third = ({ labels }: { labels: Readonly<Record<string, string>> }): boolean => labels.third === '1';
    const select = { conditions: [], matches: third };
    for (const options of [
      {},
      { limit: 1700 },
      { limit: 2501 },
      { select },
      { select, limit: 10 },
      { select, limit: 833 },
      { select, limit: 834 },
      { after: '/a/n2000' },
      { atRevision: 1200 },
      { atRevision: 1200, select, limit: 400 },
      { select: { conditions: [], matches: () => false }, limit: 5 },
    ] satisfies ListOptions[]) {
      const { records, remaining, revision } = await list(options);
      const whole = await store.list('/a/', options);
      expect(records).toEqual(whole.records);
      expect([revision, remaining > 0]).toEqual([whole.revision, whole.remaining > 0]);
    }
  });

  it('matches at most a page at once without an index', async () => {
    const none = { conditions: [], matches: () => false };
    const { keys, turns } = await list({ select: none, limit: 500 });
    expect([keys, turns]).toEqual([[], 25]);
    expect(asked.every(({ limit, select }) => limit === 500 && select === undefined)).toBe(true);
  });

  it('pauses between large objects that are matched', async () => {
    const large = createObjectStore(createMemoryStore({ clock }), { codec, clock });
    for (let i = 0; i < 5; i++) {
      const annotations = { a: 'x'.repeat(40_000) };
      const object = { apiVersion: 'v1', kind: 'A', metadata: { name: `n${i}`, annotations } };
      await large.update(`/a/${i}`, () => ({ action: 'write', object }));
    }
    let turns = 0;
    const ambient = slowAmbient(() => turns++);
    const select = { conditions: [], matches: () => true };
    const { records } = await listInPages({ store: large, ambient }, '/a/', { select });
    expect([records.length, turns]).toEqual([5, 4]);
  });

  it('stops when its request is aborted', async () => {
    const stop = new AbortController();
    const gone = list({ signal: stop.signal }, () => stop.abort(new Error('gone')));
    await expect(gone).rejects.toThrow('gone');
    expect(asked.length).toBe(1);
  });
});
