import type { ApiObject } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { bench, describe } from 'vitest';
import type { ListResult } from '../contracts/object-store.ts';
import { createObjectStore } from '../objects/create-object-store.ts';
import { createMemoryStore, type MemoryStore } from './memory-store.ts';

const SIZE = 100_000;
const clock = createSteppedClock();
const codec = {
  encode: (object: ApiObject): Uint8Array => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes: Uint8Array): ApiObject => JSON.parse(new TextDecoder().decode(bytes)),
};
const value = codec.encode({
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'default', uid: '3c4f6a1e-0000-4000-8000-000000000000' },
  spec: { text: 'x'.repeat(900) },
});
const key = (i: number): string => `/pods/default/pod-${String(i % SIZE).padStart(6, '0')}`;

function filled(): MemoryStore {
  const store = createMemoryStore({ clock });
  for (let i = 0; i < SIZE; i++) store.put(key(i), value);
  return store;
}

const store = filled();
const written = filled();
const forked = filled();
const objects = createObjectStore(store, { codec, clock });
let i = 0;
/** The next key, far from the one before. */
const next = (): string => {
  i += 7919;
  return key(i);
};

describe('memory store of 100,000 entries', () => {
  bench('put', () => {
    written.put(next(), value);
  });
  bench('get', () => {
    store.get(next());
  });
  bench('range of 500', () => {
    store.range('/pods/', { limit: 500, after: next() });
  });
  bench('range of 500, 300 revisions ago', () => {
    store.range('/pods/', { limit: 500, atRevision: store.currentRevision() - 300 - (i++ % 5000) });
  });
  bench('fork, and a write to it', () => {
    forked.fork().put(next(), value);
  });
});

describe('object store of 100,000 entries', () => {
  bench('get', () => {
    objects.get(next());
  });
  bench('list of 500, as JSON', () => {
    const { records } = objects.list('/pods/', { limit: 500, after: next() }) as ListResult;
    for (const record of records) record.listItem(false);
  });
  bench('update', async () => {
    let n = 0;
    const change = () =>
      ({
        action: 'write',
        object: { kind: 'Pod', apiVersion: 'v1', metadata: { name: 'a' }, n: n++ + i },
      }) as const;
    await objects.update(next(), change);
  });
});
