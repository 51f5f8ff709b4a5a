import type { ConfigMap } from '@ashlar/apis';
import { createClient, createInformer } from '@ashlar/client';
import { type Ambient, orchVocabulary } from '@ashlar/core';
import { createNodeTransport, listen, nodeAmbient } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { expect, test } from 'vitest';
import { startProxy } from '../packages/storage-etcd/src/client/cutting-proxy.fixture.ts';

const CUTS = 1000;
const OBJECTS = 3;
const CONFIG_MAPS = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };

/** The same numbers in every run, between 0 and 1. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Waits a millisecond instead of longer: back-off is not tested here. */
function impatient(): Ambient {
  const ambient = nodeAmbient(orchVocabulary);
  const { clock } = ambient;
  return {
    ...ambient,
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      setTimer: (milliseconds, call) => clock.setTimer(Math.min(1, milliseconds), call),
    },
  };
}

test(`an informer whose connection is cut at ${CUTS} places misses no change, and repeats none`, async () => {
  await using server = createApiServer({ controllers: false });
  await server.ready;
  await using listener = await listen(server.handler);
  const random = sequence(23);
  let cuts = 0;
  // anywhere: in the header of a response, in a frame, between two
  await using proxy = await startProxy(listener.url, () =>
    ++cuts <= CUTS ? Math.floor(random() * 3000) : undefined,
  );
  using transport = createNodeTransport();
  const client = createClient({ transport, baseUrl: proxy.url, ambient: impatient() });
  await using informer = createInformer(client.resource<ConfigMap>(CONFIG_MAPS).namespace('default'));
  const received: string[] = [];
  const receive = (what: string, { metadata, data }: ConfigMap): void =>
    void received.push(`${what} ${metadata.name} ${data?.n}@${metadata.resourceVersion}`);
  informer.addHandler({
    added: (object) => receive('added', object),
    updated: (object, previous) => receive(`${previous.metadata.resourceVersion} became`, object),
    deleted: (object) => receive('deleted', object),
  });
  await informer.synced;

  const objects = server.client.resource<ConfigMap>(CONFIG_MAPS).namespace('default');
  const written: string[] = [];
  const versions = new Map<string, string>();
  for (let i = 0; proxy.cuts < CUTS; i++) {
    // the writer is never far ahead, so that every connection receives something
    while (received.length < i - 10 && proxy.cuts < CUTS) await new Promise(setImmediate);
    const name = `m${i % OBJECTS}`;
    const before = versions.get(name);
    const object = { metadata: { name }, data: { n: `${i}`, filling: 'x'.repeat(random() * 800) } };
    if (before !== undefined && random() < 0.2) {
      const { n } = (await objects.get(name)).data ?? {};
      await objects.delete(name);
      versions.delete(name);
      written.push(`deleted ${name} ${n}`);
      continue;
    }
    const { metadata } = before === undefined ? await objects.create(object) : await objects.update(object);
    versions.set(name, metadata.resourceVersion as string);
    const what = before === undefined ? 'added' : `${before} became`;
    written.push(`${what} ${name} ${i}@${metadata.resourceVersion}`);
  }
  while (received.length < written.length) await new Promise(setImmediate);
  // a deletion has a version that its response does not contain
  expect(received.map((text) => (text.startsWith('deleted') ? text.split('@')[0] : text))).toEqual(written);
  expect(written.length).toBeGreaterThan(CUTS / 2);
  expect(proxy.cuts).toBe(CUTS);
});
