import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type FakeEtcd, type FakeResponse, startFakeEtcd } from '../client/fake-etcd.fixture.ts';
import { memberStatus } from '../messages/cluster-messages.ts';
import { putResponse, rangeResponse } from '../messages/key-value-messages.ts';
import { defineMessage, identifier, message } from '../messages/protobuf-message.ts';
import { createEtcdStore, type EtcdStoreOptions } from './create-etcd-store.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const put: FakeResponse = { message: putResponse.encode({ header: { clusterId: 1n, revision: 7 } }) };
const range: FakeResponse = {
  message: rangeResponse.encode({ header: { clusterId: 1n, revision: 7 }, count: 0 }),
};
const cut: FakeResponse = { act: (stream) => stream.session?.destroy() };

const open = ({ url }: FakeEtcd, more: Partial<EtcdStoreOptions> = {}) =>
  createEtcdStore({ endpoints: [url], requestMilliseconds: 2000, openMilliseconds: 0, ...more });

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

describe('opening', () => {
  test('rejects invalid options', async () => {
    const refused = async (options: EtcdStoreOptions, text: string) => {
      await expect(createEtcdStore(options)).rejects.toThrow(new TypeError(text));
    };
    await refused({ endpoints: [] }, 'there is no endpoint');
    const notUrl = 'is not a URL that begins with http:// or https://';
    await refused({ endpoints: ['127.0.0.1:2379'] }, `the endpoint "127.0.0.1:2379" ${notUrl}`);
    await refused({ endpoints: ['unix:///run/etcd'] }, `the endpoint "unix:///run/etcd" ${notUrl}`);
    const endpoints = ['http://127.0.0.1:2379'];
    await refused({ endpoints, prefix: 'registry' }, 'the prefix "registry" does not begin with /');
    await refused({ endpoints, user: 'anna' }, 'a user needs a password, and a password a user');
  });

  test('reports that nothing listens, nothing responds, or something else does', async () => {
    const silent = createServer(() => {});
    const urls = [await listening(silent)];
    const web = createHttpServer((_, response) => response.end('hello'));
    urls.push(await listening(web));
    const closed = createServer();
    urls.push(await listening(closed));
    await new Promise((resolve) => closed.close(resolve));
    for (const url of urls) {
      const opened = createEtcdStore({ endpoints: [url], connectMilliseconds: 200, openMilliseconds: 0 });
      await expect(opened).rejects.toMatchObject({ name: 'EtcdStoreError', fault: 'unreachable' });
    }
    for (const server of [silent, web]) server.close();
    web.closeAllConnections();
  });

  test('reports an etcd that is too old', async () => {
    const old = memberStatus.encode({
      header: { clusterId: 1n, revision: 1 },
      version: '3.3.27',
      leader: 1n,
    });
    await using etcd = await startFakeEtcd(() => ({ message: old }));
    await expect(open(etcd)).rejects.toMatchObject({ fault: 'unsupported' });
  });

  test('skips members without a leader', async () => {
    const lost = memberStatus.encode({ header: { clusterId: 1n, revision: 1 }, version: '3.5.16' });
    await using first = await startFakeEtcd(() => ({ message: lost }));
    await using second = await startFakeEtcd((path) => (path === 'Put' ? put : undefined));
    await using store = await open(first, { endpoints: [first.url, second.url] });
    expect((await store.put('/a', bytes('x'))).ok).toBe(true);
    expect([first.calls, second.calls]).toEqual([['Status'], ['Status', 'Put']]);
  });
});

describe('calls', () => {
  test('are sent once if they write and their result is unknown', async () => {
    await using etcd = await startFakeEtcd((path) => (path === 'Put' || path === 'Txn' ? cut : undefined));
    await using store = await open(etcd);
    const refused = { code: 503, details: { retryAfterSeconds: 1 } };
    await expect(store.put('/a', bytes('x'))).rejects.toMatchObject(refused);
    await expect(store.put('/a', bytes('x'), { ifRevision: 0 })).rejects.toMatchObject(refused);
    expect(etcd.calls.filter((path) => path !== 'Status')).toEqual(['Put', 'Txn']);
  });

  test('are retried if they read', async () => {
    await using etcd = await startFakeEtcd((path, call) =>
      path === 'Range' ? (call < 3 ? cut : range) : undefined,
    );
    await using store = await open(etcd);
    expect(await store.get('/a')).toBeUndefined();
    expect(etcd.calls.filter((path) => path === 'Range').length).toBe(3);
  });

  test('are retried if etcd rejects them unread, including writes', async () => {
    const texts = ['etcdserver: no leader', 'etcdserver: too many requests'];
    const away = (text: string | undefined): FakeResponse =>
      text ? { code: text.includes('many') ? 8 : 14, text } : put;
    await using etcd = await startFakeEtcd((path, call) =>
      path === 'Put' ? away(texts[call - 1]) : undefined,
    );
    await using store = await open(etcd);
    expect((await store.put('/a', bytes('x'))).revision).toBe(7);
  });

  test('time out with a Retry-After', async () => {
    await using etcd = await startFakeEtcd((path) => (path === 'Status' ? undefined : { act: () => {} }));
    await using store = await open(etcd, { requestMilliseconds: 100 });
    const late = { code: 504, reason: 'Timeout', details: { retryAfterSeconds: 1 } };
    await expect(store.put('/a', bytes('x'))).rejects.toMatchObject(late);
    await expect(store.get('/a')).rejects.toMatchObject(late);
    await expect(store.range('/a/')).rejects.toMatchObject(late);
  });

  test('report a late rejection of etcd as a timeout', async () => {
    const text = 'etcdserver: request timed out, possibly due to previous leader failure';
    await using etcd = await startFakeEtcd((path) => (path === 'Put' ? { code: 14, text } : undefined));
    await using store = await open(etcd);
    await expect(store.put('/a', bytes('x'))).rejects.toMatchObject({ code: 504 });
  });

  test('report alarms, and a missing leader, from the health check', async () => {
    const member = { header: { clusterId: 1n, revision: 5 }, version: '3.5.16', leader: 1n };
    const states = [
      { ...member },
      { ...member, errors: ['memberID:1 alarm:NOSPACE ', 'memberID:2 alarm:CORRUPT '] },
      { ...member, leader: 0n },
    ];
    let state = states[0];
    await using etcd = await startFakeEtcd((path) =>
      path === 'Status' ? { message: memberStatus.encode(state as object) } : undefined,
    );
    await using store = await open(etcd);
    await expect(store.check()).resolves.toBeUndefined();
    state = states[1];
    await expect(store.check()).rejects.toMatchObject({
      code: 503,
      message: 'the storage is not available: memberID:1 alarm:NOSPACE ; memberID:2 alarm:CORRUPT ',
    });
    state = states[2];
    await expect(store.check()).rejects.toThrow('etcd has no leader');
    state = states[0];
    await expect(store.check()).resolves.toBeUndefined();
  });

  test('reject a revision that a number cannot hold', async () => {
    const header = defineMessage<{ revision: bigint }>('ResponseHeader', { revision: identifier(3) });
    const huge = defineMessage<{ header: { revision: bigint } }>('PutResponse', {
      header: message(1, header),
    });
    const result = { message: huge.encode({ header: { revision: 2n ** 53n } }) };
    await using etcd = await startFakeEtcd((path) => (path === 'Put' ? result : undefined));
    await using store = await open(etcd);
    await expect(store.put('/a', bytes('x'))).rejects.toThrow('beyond 2^53');
  });

  test('reject an invalid message', async () => {
    await using etcd = await startFakeEtcd((path) =>
      path === 'Range' ? { message: Uint8Array.of(255, 255, 255) } : undefined,
    );
    await using store = await open(etcd);
    await expect(store.get('/a')).rejects.toMatchObject({ code: 500 });
  });

  test('with keys that do not begin with / are errors of the caller', async () => {
    await using etcd = await startFakeEtcd(() => undefined);
    await using store = await open(etcd);
    await expect(store.get('a')).rejects.toThrow(TypeError);
    await expect(store.put('/a', bytes(''), { leaseSeconds: Number.NaN })).rejects.toThrow(RangeError);
  });
});
