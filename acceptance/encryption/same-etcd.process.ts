import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeBase64 } from '@ashlar/core';
import { afterAll, describe, expect, it } from 'vitest';
import { startEtcd } from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { hasReference, startReference } from '../aggregation/reference.fixture.ts';
import { sendTo } from '../replicas/replica.fixture.ts';
import { startProcessIn } from '../replicas/server-process.fixture.ts';
import { provider, writeKeys } from './key-file.fixture.ts';

const SECRETS = '/api/v1/namespaces/default/secrets';
const TYPES = ['aescbc', 'aesgcm', 'secretbox'] as const;
const folder = mkdtempSync(join(tmpdir(), 'same-etcd-'));
const keys = join(folder, 'keys.yaml');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The contents of all secrets, by their names. */
type Contents = Readonly<Record<string, string>>;

interface Secret {
  readonly metadata: { readonly name: string };
  readonly data?: { readonly k: string };
}

const contentsOf = (items: readonly Secret[]): Contents =>
  Object.fromEntries(items.map(({ metadata, data }) => [metadata.name, data?.k ?? '']));

const secret = (name: string, content: string): Secret => ({
  metadata: { name },
  data: { k: encodeBase64(new TextEncoder().encode(content)) },
});

/** A server over the etcd, for one turn. */
interface Turn extends AsyncDisposable {
  read(): Promise<Contents>;
  write(...secrets: readonly Secret[]): Promise<void>;
}

async function ours(etcdUrl: string): Promise<Turn> {
  const server = await startProcessIn(
    folder,
    ...[`--storage=etcd:${etcdUrl}`, '--vocabulary=kubernetes', '--encryption-provider-config=keys.yaml'],
  );
  const send = sendTo(server);
  return {
    read: async () => contentsOf((await send('GET', SECRETS)).body.items as unknown as readonly Secret[]),
    async write(...secrets) {
      for (const each of secrets) {
        const replaced = await send('PUT', `${SECRETS}/${each.metadata.name}`, each);
        const { status, body } = replaced.status === 404 ? await send('POST', SECRETS, each) : replaced;
        expect([200, 201], JSON.stringify(body)).toContain(status);
      }
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function theirs(etcdUrl: string): Promise<Turn> {
  // a server here stores JSON, and reads nothing else
  const flags = [`--encryption-provider-config=${keys}`, '--storage-media-type=application/json'];
  const reference = await startReference({ etcdUrl, flags });
  return {
    async read() {
      const list = JSON.parse(await reference.kubectl('get', 'secrets', '--output=json')) as {
        items: readonly Secret[];
      };
      return contentsOf(list.items);
    },
    async write(...secrets) {
      for (const { metadata, data } of secrets) {
        const patch = JSON.stringify({ data });
        const { name } = metadata;
        await reference.kubectl('create', 'secret', 'generic', name).catch(() => '');
        await reference.kubectl('patch', 'secret', name, '--type=merge', `--patch=${patch}`);
      }
    },
    [Symbol.asyncDispose]: () => reference[Symbol.asyncDispose](),
  };
}

describe.skipIf(!hasReference)('the reference and a server over one etcd, in turn', () => {
  it.each(TYPES)('read what the other encrypted with %s, and go on with it', async (type) => {
    await using etcd = await startEtcd();
    const expected: Record<string, string> = {};
    const note = (...secrets: readonly Secret[]): readonly Secret[] => {
      Object.assign(expected, contentsOf(secrets));
      return secrets;
    };
    const others = TYPES.filter((other) => other !== type);
    writeKeys(keys, provider(type, 'a'));
    {
      await using server = await ours(etcd.url);
      await server.write(...note(secret('ours', 'first'), secret('both', 'by us')));
    }
    {
      await using server = await theirs(etcd.url);
      expect(await server.read()).toEqual(expected);
      await server.write(...note(secret('theirs', 'second'), secret('both', 'by them')));
    }
    // a new key, and the old one to read with
    writeKeys(keys, provider(type, 'b', 'a'), ...others.map((other) => provider(other, 'c')));
    {
      await using server = await ours(etcd.url);
      expect(await server.read()).toEqual(expected);
      await server.write(...note(secret('both', 'by us again'), secret('ours', 'first')));
    }
    {
      await using server = await theirs(etcd.url);
      expect(await server.read()).toEqual(expected);
      await server.write(...note(secret('theirs', 'third')));
    }
    // everything has been written with the new key
    writeKeys(keys, provider(type, 'b'));
    await using server = await ours(etcd.url);
    expect(await server.read()).toEqual(expected);
  });
});
