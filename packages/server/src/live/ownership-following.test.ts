import type { Ownership } from '@ashlar/controllers';
import type { ApiObject } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { createMemoryStore, createObjectStore, type MemoryStore, type ObjectStore } from '@ashlar/storage';
import { describe, expect, it, vi } from 'vitest';
import { objectCodec } from '../assembly/object-codec.ts';
import { OwnershipFollowing } from './ownership-following.ts';

const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'o' };

const object = (name: string, metadata: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'n', uid: `uid-${name}`, ...metadata },
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A store, and the changes of owners that are reported for it. */
function createFollowed(): {
  readonly engine: MemoryStore;
  readonly store: ObjectStore;
  readonly clock: ReturnType<typeof createSteppedClock>;
  readonly received: string[];
  readonly errors: unknown[];
  write(key: string, object: ApiObject): Promise<unknown>;
  remove(key: string): Promise<unknown>;
  follow(): Promise<OwnershipFollowing>;
} {
  const clock = createSteppedClock();
  const engine = createMemoryStore({ clock });
  const store = createObjectStore(engine, { codec: objectCodec, clock });
  const received: string[] = [];
  const errors: unknown[] = [];
  const text = ({ uid, owners, isBeingDeleted }: Ownership): string =>
    [uid, ...owners.map((owner) => `of ${owner.uid}`), ...(isBeingDeleted ? ['deleted'] : [])].join(' ');
  return {
    ...{ engine, store, clock, received: received, errors },
    write: (key, wanted) => store.update(key, () => ({ action: 'write', object: wanted })),
    remove: (key) => store.update(key, () => ({ action: 'remove' })),
    async follow() {
      const following = new OwnershipFollowing(
        { store, ambient: { clock }, onError: (error) => errors.push(error) },
        {
          replaced: (objects) => received.push(`all: ${objects.map(text).join(', ')}`),
          changed: (changed) => received.push(text(changed)),
          removed: (uid, namespace) => received.push(`removed ${uid} ${namespace}`),
        },
      );
      for (let turn = 0; turn < 20; turn++) await nextTurn();
      return following;
    },
  };
}

describe('OwnershipFollowing', () => {
  it('does not parse the owners of a large object that was just written', async () => {
    const { write, follow, received } = createFollowed();
    using _ = await follow();
    const parse = vi.spyOn(JSON, 'parse');
    const ownerReferences = Array.from({ length: 2_000 }, (_each, i) => ({ ...OWNER, uid: `o${i}` }));
    await write('/configmaps/n/owned', object('owned', { ownerReferences }));
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    const parsed = parse.mock.calls.filter(([text]) => String(text).length > 10_000);
    parse.mockRestore();
    expect(received.at(-1)?.split(' of ')).toHaveLength(2_001);
    expect(parsed).toEqual([]);
  });

  it('tells of objects that have owners or are being deleted, and of every removal', async () => {
    const { write, remove, follow, received } = createFollowed();
    await write('/configmaps/n/owned', object('owned', { ownerReferences: [OWNER] }));
    await write('/configmaps/n/plain', object('plain'));
    await write('/configmaps/n/marked', object('marked', { deletionTimestamp: '2001-01-01T00:00:00Z' }));
    using _ = await follow();
    expect(received.splice(0)).toEqual(['all: uid-marked deleted, uid-owned of o']);
    await write('/configmaps/n/plain', object('plain', { labels: { a: 'b' } }));
    await write('/configmaps/n/later', object('later', { ownerReferences: [OWNER] }));
    await write('/configmaps/n/later', object('later'));
    await remove('/configmaps/n/plain');
    expect(received).toEqual(['uid-later of o', 'uid-later', 'removed uid-plain n']);
  });

  it('parses only the identity of a large object that was removed', async () => {
    const { write, remove, follow, received } = createFollowed();
    const annotations = { large: 'x'.repeat(40_000) };
    await write('/configmaps/n/large', object('large', { annotations, ownerReferences: [OWNER] }));
    using _ = await follow();
    const parse = vi.spyOn(JSON, 'parse');
    await remove('/configmaps/n/large');
    const longest = Math.max(...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(received.slice(1)).toEqual(['removed uid-large n']);
    expect(longest).toBeLessThan(1_000);
  });

  it('leaves out events', async () => {
    const { write, remove, follow, received } = createFollowed();
    const event = object('e', { ownerReferences: [OWNER] });
    await write('/events/n/a', event);
    using _ = await follow();
    await write('/events/n/b', event);
    await remove('/events/n/a');
    expect(received).toEqual(['all: ']);
  });

  it('reads a large store page by page, and misses nothing that happens meanwhile', async () => {
    const { store, write, remove, follow, received } = createFollowed();
    const names = Array.from({ length: 2500 }, (_, i) => `m${String(i).padStart(4, '0')}`);
    for (const name of names)
      await write(`/configmaps/n/${name}`, object(name, { ownerReferences: [OWNER] }));
    const list = vi.spyOn(store, 'list');
    const following = follow();
    while (list.mock.calls.length === 0) await Promise.resolve();
    await remove('/configmaps/n/m0000');
    await remove('/configmaps/n/m2499');
    using _ = await following;
    expect(received[0]?.split(', ')).toHaveLength(2499);
    expect(received.slice(1)).toContain('removed uid-m0000 n');
    expect(received.slice(1)).toContain('removed uid-m2499 n');
  });

  it('passes over what cannot be read, and reports it', async () => {
    const { engine, write, follow, received, errors } = createFollowed();
    await engine.put('/configmaps/n/broken', new TextEncoder().encode('no JSON'));
    await write('/configmaps/n/owned', object('owned', { ownerReferences: [OWNER] }));
    using _ = await follow();
    expect(received).toEqual(['all: uid-owned of o']);
    expect(errors).toHaveLength(1);
  });

  it('begins again when the watch ends, after a second', async () => {
    const { engine, store, clock, follow, received, errors } = createFollowed();
    const { watch } = engine;
    let fail = (_: Error): void => {};
    engine.watch = (prefix, options, observer) => {
      fail = (error) => observer.error(error);
      return watch.call(engine, prefix, options, observer);
    };
    using _ = await follow();
    expect(received.splice(0)).toEqual(['all: ']);
    fail(new Error('lost'));
    await store.update('/configmaps/n/owned', () => ({
      action: 'write',
      object: object('owned', { ownerReferences: [OWNER] }),
    }));
    expect(received.splice(0)).toEqual([]);
    clock.advance(1000);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect([received, errors]).toEqual([['all: uid-owned of o'], [new Error('lost')]]);
  });
});

describe('a snapshot', () => {
  it('is where another store of the same content goes on, without reading it', async () => {
    const first = createFollowed();
    await first.write('/configmaps/n/owned', object('owned', { ownerReferences: [OWNER] }));
    await first.write('/configmaps/n/released', object('released', { ownerReferences: [OWNER] }));
    using following = await first.follow();
    await first.write('/configmaps/n/released', object('released'));
    await nextTurn();
    const snapshot = following.snapshot();
    const fork = first.engine.fork();
    const { clock } = first;
    const store = createObjectStore(fork, { codec: objectCodec, clock });
    store.list = () => {
      throw new Error('the store is read');
    };
    await store.update('/configmaps/n/later', () => ({
      action: 'write',
      object: object('later', { ownerReferences: [OWNER] }),
    }));
    first.received.length = 0;
    using _ = new OwnershipFollowing(
      { store, ambient: { clock }, snapshot },
      {
        replaced: (objects) => first.received.push(...objects.map(({ uid }) => `all: ${uid}`)),
        changed: ({ uid }) => first.received.push(uid),
        removed: () => {},
      },
    );
    await nextTurn();
    expect(first.received).toEqual(['all: uid-owned', 'uid-later']);
  });
});
