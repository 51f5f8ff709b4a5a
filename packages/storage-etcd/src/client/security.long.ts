import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createEtcdStore } from '../store/create-etcd-store.ts';
import { WatchLog } from '../store/watch-log.fixture.ts';
import { authority, client, otherAuthority, server } from './certificates.fixture.ts';
import { type EtcdProcess, etcdProgram, NO_ETCD, startEtcd } from './etcd-process.fixture.ts';
import {
  authEnableMethod,
  callMember,
  leasesMethod,
  roleAddMethod,
  roleGrantMethod,
  userAddMethod,
  userGrantRoleMethod,
} from './raw-call.fixture.ts';

beforeEach((context) => context.skip(!etcdProgram, NO_ETCD));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('with user and password', { timeout: 30_000 }, () => {
  let etcd: EtcdProcess;
  beforeAll(async () => {
    if (!etcdProgram) return;
    etcd = await startEtcd(['--auth-token-ttl', '1']);
    await callMember(etcd.url, userAddMethod, { name: 'root', second: 'secret' });
    await callMember(etcd.url, roleAddMethod, { name: 'root' });
    await callMember(etcd.url, userGrantRoleMethod, { name: 'root', second: 'root' });
    await callMember(etcd.url, userAddMethod, { name: 'anna', second: 'pass' });
    await callMember(etcd.url, roleAddMethod, { name: 'own' });
    const permission = { type: 2, key: '/anna/', rangeEnd: '/anna0' };
    await callMember(etcd.url, roleGrantMethod, { name: 'own', permission });
    await callMember(etcd.url, userGrantRoleMethod, { name: 'anna', second: 'own' });
    await callMember(etcd.url, authEnableMethod, {});
  });
  afterAll(() => etcd?.[Symbol.asyncDispose]());

  test('rejects a wrong password immediately, naming the user', async () => {
    const opened = createEtcdStore({ endpoints: [etcd.url], user: 'anna', password: 'wrong' });
    await expect(opened).rejects.toMatchObject({ name: 'EtcdStoreError', fault: 'credentials' });
    await expect(opened).rejects.toThrow('etcd does not take the user "anna" with the password given');
  });

  test('continues when the token has expired, including watches', async () => {
    await using store = await createEtcdStore({
      endpoints: [etcd.url],
      prefix: '/anna',
      user: 'anna',
      password: 'pass',
    });
    const { revision } = await store.put('/a/1', bytes('1'));
    await sleep(2500);
    const log = new WatchLog(store, '/a/', revision);
    const { revision: last } = await store.put('/a/2', bytes('2'));
    await log.reaches(last);
    expect((await store.range('/a/')).entries.length).toBe(2);
    expect(await store.currentRevision()).toBe(last);
    log[Symbol.dispose]();
  });

  test('reports missing permissions', async () => {
    await using store = await createEtcdStore({
      endpoints: [etcd.url],
      prefix: '/other',
      user: 'anna',
      password: 'pass',
    });
    const text = 'Internal error occurred: etcdserver: permission denied';
    await expect(store.put('/a/1', bytes('1'))).rejects.toMatchObject({ code: 500, message: text });
    expect(await new WatchLog(store, '/a/', 1).ends()).toMatchObject({ code: 500, message: text });
  });

  test('reports missing credentials', async () => {
    await using store = await createEtcdStore({ endpoints: [etcd.url] });
    await expect(store.get('/a/1')).rejects.toMatchObject({ code: 500 });
  });
});

describe('with certificates', { timeout: 30_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'ashlar-etcd-tls-'));
  const file = (name: string, content: string): string => {
    const path = join(directory, name);
    writeFileSync(path, content);
    return path;
  };
  let etcd: EtcdProcess;
  beforeAll(async () => {
    if (!etcdProgram) return;
    const flags = [
      '--cert-file',
      file('server.crt', server.certificate),
      '--key-file',
      file('server.key', server.key),
    ];
    const ca = ['--client-cert-auth', '--trusted-ca-file', file('ca.crt', authority)];
    etcd = await startEtcd([...flags, ...ca], 'https');
  });
  afterAll(async () => {
    await etcd?.[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });
  const ours = { certificate: client.certificate, key: client.key };

  test('connects to a trusted server with a trusted client certificate', async () => {
    await using store = await createEtcdStore({
      endpoints: [etcd.url],
      tls: { certificateAuthorities: authority, ...ours },
    });
    const { revision } = await store.put('/a/1', bytes('1'));
    expect((await store.get('/a/1'))?.revision).toBe(revision);
    expect((await store.statistics()).databaseBytes).toBeGreaterThan(0);
  });

  test('rejects a server with an unknown certificate', async () => {
    for (const tls of [{ certificateAuthorities: otherAuthority, ...ours }, { ...ours }]) {
      const opened = createEtcdStore({ endpoints: [etcd.url], tls });
      await expect(opened).rejects.toMatchObject({ name: 'EtcdStoreError', fault: 'tls' });
    }
  });

  test('rejects a server with a certificate of another name', async () => {
    const tls = { certificateAuthorities: authority, serverName: 'elsewhere.example', ...ours };
    const opened = createEtcdStore({ endpoints: [etcd.url], tls });
    await expect(opened).rejects.toMatchObject({ name: 'EtcdStoreError', fault: 'tls' });
  });

  test('reports a missing client certificate', async () => {
    const opened = createEtcdStore({ endpoints: [etcd.url], tls: { certificateAuthorities: authority } });
    await expect(opened).rejects.toMatchObject({ name: 'EtcdStoreError', fault: 'tls' });
  });
});

test('values share leases', { timeout: 30_000 }, async () => {
  await using etcd = await startEtcd();
  await using store = await createEtcdStore({ endpoints: [etcd.url] });
  const put = (i: number, leaseSeconds: number) =>
    store.put(`/events/${leaseSeconds}.${i}`, bytes('x'), { leaseSeconds });
  await Promise.all(Array.from({ length: 300 }, (_, i) => put(i, 3600)));
  for (let i = 0; i < 50; i++) await put(300 + i, 3600);
  expect((await callMember(etcd.url, leasesMethod, {})).leases.length).toBe(1);
  await Promise.all(Array.from({ length: 1500 }, (_, i) => put(i, 7200)));
  expect((await callMember(etcd.url, leasesMethod, {})).leases.length).toBe(3);
});
