import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeBase64 } from '@ashlar/core';
import { afterAll, expect, test } from 'vitest';
import {
  etcdProgram,
  NO_ETCD,
  startEtcd,
} from '../../packages/storage-etcd/src/client/etcd-process.fixture.ts';
import { type Send, sendTo } from '../replicas/replica.fixture.ts';
import { type ServerProcess, startProcessIn } from '../replicas/server-process.fixture.ts';
import { isBroken } from '../replicas/writing.fixture.ts';
import { provider, writeKeys } from './key-file.fixture.ts';

const COUNT = 10_000;
const PARALLEL = 32;
const SECRETS = '/api/v1/namespaces/default/secrets';
const GROUP = 'storagemigration.k8s.io';
const MIGRATIONS = `/apis/${GROUP}/v1alpha1/storageversionmigrations`;
const RELOADS = 'apiserver_encryption_config_controller_automatic_reloads_total';

const folder = mkdtempSync(join(tmpdir(), 'key-rotation-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = (flags: readonly string[]): Promise<ServerProcess> =>
  startProcessIn(
    folder,
    ...flags,
    ...['--vocabulary=kubernetes', '--feature-gates=StorageVersionMigrator=true'],
    ...[`--runtime-config=${GROUP}/v1alpha1=true`, '--encryption-provider-config=keys.yaml'],
    '--encryption-provider-config-automatic-reload=true',
  );

const configure = (...names: readonly string[]): void =>
  writeKeys(join(folder, 'keys.yaml'), provider('aesgcm', ...names));

const contentOf = (name: string, version: number): string =>
  encodeBase64(new TextEncoder().encode(`secret content ${name} ${version}`));

/** What each secret may contain: what was acknowledged last, and what was sent after it without a response. */
class Contents {
  readonly #possible = new Map<string, string[]>();
  #version = 0;

  readonly names: readonly string[] = Array.from({ length: COUNT }, (_, index) => `s${index}`);

  async create(send: Send): Promise<void> {
    const waiting = this.names.values();
    await inParallel(async () => {
      for (const name of waiting) expect(await this.#write(send, 'POST', SECRETS, name)).toBe(201);
    });
  }

  /** Reads and writes at random until `goesOn` is false, or the server is gone. */
  async use(send: Send, goesOn: () => boolean): Promise<void> {
    while (goesOn()) {
      const name = this.names[Math.floor(Math.random() * COUNT)] as string;
      try {
        expect(await this.#write(send, 'PUT', `${SECRETS}/${name}`, name)).toBe(200);
        const other = this.names[Math.floor(Math.random() * COUNT)] as string;
        const { status, body } = await send('GET', `${SECRETS}/${other}`);
        expect([status, body.metadata.name]).toEqual([200, other]);
      } catch (error) {
        // an idle connection may end while it is used again
        if (goesOn() && !isBroken(error)) throw error;
      }
      await sleep(5);
    }
  }

  async #write(send: Send, method: string, path: string, name: string): Promise<number> {
    const content = contentOf(name, this.#version++);
    this.#possible.set(name, [...(this.#possible.get(name) ?? []), content]);
    const { status } = await send(method, path, { metadata: { name }, data: { k: content } });
    this.#possible.set(name, [content]);
    return status;
  }

  /** Compares everything that a server returns. */
  async check(send: Send): Promise<void> {
    const { items } = (await send('GET', SECRETS)).body;
    expect(items).toHaveLength(COUNT);
    const wrong = items.filter(
      ({ metadata, data }) =>
        !this.#possible.get(metadata.name)?.includes((data as { readonly k?: string }).k ?? ''),
    );
    expect(wrong).toEqual([]);
  }
}

/** Three users, who read and write at random. */
class Users {
  #goOn = true;
  readonly #faults: unknown[] = [];
  readonly #left: Promise<unknown>;

  constructor(contents: Contents, send: Send) {
    const use = (): Promise<void> =>
      contents.use(send, () => this.#goOn).catch((fault: unknown) => void this.#faults.push(fault));
    this.#left = Promise.all([use(), use(), use()]);
  }

  /** The server is about to be killed: it need not answer any more. */
  expectTheEnd(): void {
    this.#goOn = false;
  }

  async leave(): Promise<void> {
    this.#goOn = false;
    await this.#left;
    expect(this.#faults).toEqual([]);
  }
}

async function inParallel(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await sleep(20);
}

async function hasReloaded(server: ServerProcess): Promise<boolean> {
  const { url, transport, headers = {} } = server;
  const response = await transport.request(`${url}/metrics`, { method: 'GET', headers });
  const text = new TextDecoder().decode(await response.body());
  return new RegExp(`^${RELOADS}\\{.*status="success".*\\} [1-9]`, 'm').test(text);
}

interface Migration {
  readonly spec: { readonly continueToken?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

const migrationOf = async (send: Send): Promise<Migration> =>
  (await send('GET', `${MIGRATIONS}/rotation`)).body as unknown as Migration;

const holds = ({ status }: Migration, type: string): boolean =>
  (status.conditions ?? []).some((condition) => condition.type === type && condition.status === 'True');

async function rotate(flags: readonly string[]): Promise<void> {
  const contents = new Contents();
  configure('a');
  {
    await using first = await start(flags);
    const send = sendTo(first);
    await contents.create(send);
    configure('b', 'a');
    await until(() => hasReloaded(first));
    const users = new Users(contents, send);
    const resource = { version: 'v1', resource: 'secrets' };
    const made = await send('POST', MIGRATIONS, { metadata: { name: 'rotation' }, spec: { resource } });
    expect(made.status).toBe(201);
    // some pages are written, others are not
    await until(async () => (await migrationOf(send)).spec.continueToken !== undefined);
    users.expectTheEnd();
    await first.process.kill('SIGKILL');
    await users.leave();
  }
  {
    await using second = await start(flags);
    const send = sendTo(second);
    const before = await migrationOf(send);
    expect([holds(before, 'Running'), holds(before, 'Succeeded')]).toEqual([true, false]);
    const users = new Users(contents, send);
    await until(async () => {
      const migration = await migrationOf(send);
      expect(holds(migration, 'Failed'), JSON.stringify(migration.status)).toBe(false);
      return holds(migration, 'Succeeded');
    });
    await users.leave();
    await contents.check(send);
    await second.process.kill('SIGTERM');
  }
  // nothing needs the old key any more
  configure('b');
  await using last = await start(flags);
  await contents.check(sendTo(last));
}

test('10,000 secrets in SQLite get another key while they are served, and a server that is killed meanwhile loses none', async () => {
  await rotate(['--storage=sqlite:state.db']);
  expect(readFileSync(join(folder, 'state.db'), 'latin1')).not.toContain('secret content');
}, 1_200_000);

test.skipIf(!etcdProgram)(
  `10,000 secrets in etcd get another key while they are served, and a server that is killed meanwhile loses none${etcdProgram ? '' : ` (${NO_ETCD})`}`,
  async () => {
    await using etcd = await startEtcd();
    await rotate([`--storage=etcd:${etcd.url}`]);
  },
  1_200_000,
);
