import { setImmediate } from 'node:timers/promises';
import type { ConfigMap, Secret } from '@ashlar/apis';
import type { ResourceClient } from '@ashlar/client';
import { createClusterInfo } from '@ashlar/controllers';
import { decodeBase64, encodeBase64, orchVocabulary } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import { nodeRandom } from '@ashlar/http-node';
import { flattenedVerify } from 'jose';
import { afterEach, describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const vocabulary = orchVocabulary;
const NOW = Date.UTC(2024, 0, 2);

const open: ApiServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

interface Bootstrap {
  readonly server: ApiServer;
  readonly clock: SteppedClock;
  readonly secrets: ResourceClient<Secret>;
  readonly maps: ResourceClient<ConfigMap>;
}

async function bootstrapServer(
  controllers: readonly ('tokencleaner' | 'bootstrapsigner')[],
): Promise<Bootstrap> {
  const clock = createSteppedClock(NOW);
  const server = createApiServer({ ambient: { clock, random: nodeRandom, vocabulary }, controllers });
  open.push(server);
  await server.ready;
  const core = { group: '', version: 'v1' };
  return {
    ...{ server, clock },
    secrets: server.client
      .resource<Secret>({ ...core, resource: 'secrets', kind: 'Secret' })
      .namespace('orch-system'),
    maps: server.client
      .resource<ConfigMap>({ ...core, resource: 'configmaps', kind: 'ConfigMap' })
      .namespace('orch-public'),
  };
}

const base64 = (text: string): string => encodeBase64(new TextEncoder().encode(text));

async function addToken(
  { secrets }: Bootstrap,
  id: string,
  more: Record<string, string> = {},
): Promise<void> {
  const fields = { 'token-id': id, 'token-secret': `${id}0123456789`, ...more };
  await secrets.create({
    metadata: { name: `bootstrap-token-${id}` },
    type: 'bootstrap.orch.io/token',
    data: Object.fromEntries(Object.entries(fields).map(([key, text]) => [key, base64(text)])),
  });
}

const signing = { 'usage-bootstrap-signing': 'true' };
const expiring = (milliseconds: number): Record<string, string> => ({
  expiration: new Date(NOW + milliseconds).toISOString(),
});

async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await setImmediate();
}

describe('the cleaner of bootstrap tokens', () => {
  it('deletes tokens when they expire, and those with an invalid expiration immediately', async () => {
    const bootstrap = await bootstrapServer(['tokencleaner']);
    await addToken(bootstrap, 'lasts0');
    await addToken(bootstrap, 'broken', { expiration: 'tomorrow' });
    await addToken(bootstrap, 'soon00', expiring(1000));
    await addToken(bootstrap, 'later0', expiring(90 * 86_400_000));
    await bootstrap.secrets.create({
      metadata: { name: 'other' },
      data: { expiration: base64('2020-01-01T00:00:00Z') },
    });
    const names = async (): Promise<readonly string[]> => {
      await settled();
      const { items } = await bootstrap.secrets.list();
      return items.map(({ metadata }) => metadata.name?.replace('bootstrap-token-', '') ?? '');
    };
    expect(await names()).toEqual(['lasts0', 'later0', 'soon00', 'other']);
    bootstrap.clock.advance(999);
    expect(await names()).toEqual(['lasts0', 'later0', 'soon00', 'other']);
    bootstrap.clock.advance(1);
    expect(await names()).toEqual(['lasts0', 'later0', 'other']);
    bootstrap.clock.advance(90 * 86_400_000);
    expect(await names()).toEqual(['lasts0', 'other']);
  });

  it('keeps a token whose expiration is extended', async () => {
    const bootstrap = await bootstrapServer(['tokencleaner']);
    await addToken(bootstrap, 'soon00', expiring(1000));
    await settled();
    const { expiration = '' } = expiring(5000);
    await bootstrap.secrets.patch('bootstrap-token-soon00', {
      type: 'merge',
      patch: { data: { expiration: base64(expiration) } },
    });
    await settled();
    bootstrap.clock.advance(1000);
    await settled();
    expect((await bootstrap.secrets.list()).items).toHaveLength(1);
  });
});

describe('the signer of cluster-info', () => {
  const configuration = { vocabulary, server: 'https://10.0.0.1:6443', certificateAuthority: 'PEM' };

  /** The data of the config map, once it is up to date. */
  async function dataWith({ maps }: Bootstrap, keys: readonly string[]): Promise<Record<string, string>> {
    for await (const { object } of maps.watch({ fieldSelector: 'metadata.name=cluster-info' })) {
      const { data = {} } = object;
      if (Object.keys(data).sort().join() === [...keys].sort().join()) return data as Record<string, string>;
    }
    throw new Error('the watch ended');
  }

  it('adds signatures that holders of a token can verify', async () => {
    const bootstrap = await bootstrapServer(['bootstrapsigner']);
    await addToken(bootstrap, 'abcdef', signing);
    await createClusterInfo(bootstrap.server.client, configuration);
    const data = await dataWith(bootstrap, ['kubeconfig', 'jws-kubeconfig-abcdef']);
    const [header = '', nothing, signature = ''] = (data['jws-kubeconfig-abcdef'] ?? '').split('.');
    expect(nothing).toBe('');
    const payload = Buffer.from(data.kubeconfig ?? '').toString('base64url');
    const secret = new TextEncoder().encode('abcdef0123456789');
    const verified = await flattenedVerify({ protected: header, payload, signature }, secret);
    expect(verified.protectedHeader).toEqual({ alg: 'HS256', kid: 'abcdef' });
    const found = JSON.parse(data.kubeconfig ?? '').clusters[0].cluster;
    expect(found.server).toBe('https://10.0.0.1:6443');
    expect(Buffer.from(decodeBase64(found['certificate-authority-data'])).toString()).toBe('PEM');
    await expect(
      flattenedVerify(
        { protected: header, payload, signature },
        new TextEncoder().encode('other-secret0000'),
      ),
    ).rejects.toThrow('signature verification failed');
  });

  it('signs only with tokens that allow signing, and removes other signatures', async () => {
    const bootstrap = await bootstrapServer(['bootstrapsigner']);
    await bootstrap.maps.create({
      metadata: { name: 'cluster-info' },
      data: { kubeconfig: 'x', 'jws-kubeconfig-forged': 'a..b', other: 'kept' },
    });
    await addToken(bootstrap, 'login0', { 'usage-bootstrap-authentication': 'true' });
    await addToken(bootstrap, 'past00', { ...signing, ...expiring(-1) });
    await addToken(bootstrap, 'first0', { ...signing, ...expiring(1000) });
    await addToken(bootstrap, 'second', signing);
    const both = ['kubeconfig', 'other', 'jws-kubeconfig-first0', 'jws-kubeconfig-second'];
    await dataWith(bootstrap, both);
    bootstrap.clock.advance(1000);
    await dataWith(bootstrap, ['kubeconfig', 'other', 'jws-kubeconfig-second']);
    await bootstrap.secrets.delete('bootstrap-token-second');
    await dataWith(bootstrap, ['kubeconfig', 'other']);
  });

  it('signs changed content again', async () => {
    const bootstrap = await bootstrapServer(['bootstrapsigner']);
    await addToken(bootstrap, 'abcdef', signing);
    await bootstrap.maps.create({ metadata: { name: 'cluster-info' }, data: { kubeconfig: 'x' } });
    const before = await dataWith(bootstrap, ['kubeconfig', 'jws-kubeconfig-abcdef']);
    await bootstrap.maps.patch('cluster-info', { type: 'merge', patch: { data: { kubeconfig: 'y' } } });
    for await (const { object } of bootstrap.maps.watch()) {
      const signature = object.data?.['jws-kubeconfig-abcdef'];
      if (signature !== before['jws-kubeconfig-abcdef']) break;
    }
  });

  it('does not change a config map without a kubeconfig', async () => {
    const bootstrap = await bootstrapServer(['bootstrapsigner']);
    await addToken(bootstrap, 'abcdef', signing);
    await bootstrap.maps.create({ metadata: { name: 'cluster-info' }, data: { other: 'x' } });
    await settled();
    expect((await bootstrap.maps.get('cluster-info')).data).toEqual({ other: 'x' });
  });
});
