import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storageVersionMigrations } from '@ashlar/apis/workloads';
import { createClient, type ResourceClient } from '@ashlar/client';
import { type ApiObject, type Clock, groupName, StatusError, vocabularies } from '@ashlar/core';
import { createInProcessTransport } from '@ashlar/http';
import { nodeAmbient } from '@ashlar/http-node';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createMemoryStore, type KeyValueStore } from '@ashlar/storage';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import type { ApiServerOptions } from './api-server-options.ts';
import { createApiServer } from './create-api-server.ts';

interface Migration extends ApiObject {
  readonly spec: { readonly continueToken?: string };
  readonly status: {
    readonly resourceVersion?: string;
    readonly conditions?: readonly Readonly<Record<string, string>>[];
  };
}

/** Sees each write of a secret by the controller; may refuse or delay it. */
type Observer = (name: string) => void | Promise<void>;

const PATIENT = { timeout: 20_000 };

/** A promise that the test ends. */
function gated() {
  let [resolve, reject]: [() => void, (error: Error) => void] = [() => {}, () => {}];
  const promise = new Promise<void>((...ends) => {
    [resolve, reject] = ends;
  });
  return { promise, resolve, reject };
}

describe.each(Object.entries(vocabularies))(
  'storage version migrations with the names of %s',
  (_, vocabulary) => {
    const MANAGER = 'storage-version-migrator-controller';
    const group = groupName(vocabulary, 'storagemigration.');

    async function start(storage: KeyValueStore, seen: Observer, clock?: Clock) {
      const ambient = { ...nodeAmbient(vocabulary), ...(clock && { clock }) };
      const options: ApiServerOptions = {
        ...{ vocabulary, storage, ambient },
        resources: [storageVersionMigrations(vocabulary)],
        featureGates: parseFeatureGates('StorageVersionMigrator=true'),
        runtimeConfig: new Map([[`${group}/v1alpha1`, true]]),
        controllers: ['svm'],
        onError: () => {},
        admission: [
          {
            name: 'Observer',
            handles: ({ operation, resource }) => operation === 'UPDATE' && resource.resource === 'secrets',
            async validate({ options: writeOptions, object }) {
              const { fieldManager } = writeOptions as { readonly fieldManager?: string };
              if (fieldManager === MANAGER) await seen(object?.metadata.name ?? '');
            },
          },
        ],
      };
      const server = createApiServer(options);
      await server.ready;
      return { ...clientsOf(server, ambient), [Symbol.asyncDispose]: () => server.close() };
    }

    function clientsOf(server: ApiServer, ambient: ReturnType<typeof nodeAmbient>) {
      const transport = createInProcessTransport(server.handler);
      const client = createClient({ transport, baseUrl: 'http://server', ambient });
      return {
        secrets: client.resource({ group: '', version: 'v1', resource: 'secrets', kind: 'Secret' }),
        migrations: client.resource<Migration>({
          ...{ group, version: 'v1alpha1', resource: 'storageversionmigrations' },
          kind: 'StorageVersionMigration',
        }),
      };
    }

    const migrate = (migrations: ResourceClient<Migration>, resource = 'secrets') =>
      migrations.create({
        metadata: { name: 'a' },
        spec: { resource: { version: 'v1', resource } },
      } as unknown as Migration);

    const conditionsOf = async (migrations: ResourceClient<Migration>): Promise<readonly string[]> => {
      const { conditions = [] } = (await migrations.get('a')).status;
      return conditions.map(({ type, status, reason }) => `${type} ${status} ${reason}`);
    };

    const SUCCEEDED = [
      'Running False StorageVersionMigrationInProgress',
      'Succeeded True StorageVersionMigrationSucceeded',
    ];

    async function addSecrets(secrets: ResourceClient, count: number): Promise<void> {
      const namespace = secrets.namespace('default');
      const create = (_: unknown, index: number) =>
        namespace.create({ metadata: { name: `s${index}` } } as never);
      await Promise.all(Array.from({ length: count }, create));
    }

    it('write every object again, and succeed', async () => {
      const names = new Set<string>();
      await using running = await start(memory(), (name) => void names.add(name));
      const { secrets, migrations } = running;
      await addSecrets(secrets, 20);
      const before = (await secrets.list()).metadata.resourceVersion;
      await migrate(migrations);
      await expect.poll(() => conditionsOf(migrations)).toEqual(SUCCEEDED);
      expect(names.size).toBe(20);
      const { spec, status } = await migrations.get('a');
      expect(Number(status.resourceVersion)).toBeGreaterThanOrEqual(Number(before));
      expect(spec.continueToken).toBeUndefined();
    });

    it('go on where another controller stopped', async () => {
      const file = join(mkdtempSync(join(tmpdir(), 'migration-')), 'state.db');
      const opened = () => createSqliteStore({ file, clock: nodeAmbient(vocabulary).clock });
      const written: string[] = [];
      const stuck = gated();
      {
        await using first = await start(await opened(), (name) => {
          written.push(name);
          // the second page is never finished
          return written.length > 510 ? stuck.promise : undefined;
        });
        await addSecrets(first.secrets, 600);
        await migrate(first.migrations);
        await expect.poll(() => written.length, PATIENT).toBeGreaterThan(510);
        expect((await first.migrations.get('a')).spec.continueToken).toEqual(expect.any(String));
        expect(await conditionsOf(first.migrations)).toEqual([
          'Running True StorageVersionMigrationInProgress',
        ]);
        stuck.reject(new Error('the server ends'));
      }
      const later: string[] = [];
      await using second = await start(await opened(), (name) => void later.push(name));
      await expect.poll(() => conditionsOf(second.migrations), PATIENT).toEqual(SUCCEEDED);
      expect(later).toHaveLength(100);
      expect(new Set([...written.slice(0, 500), ...later]).size).toBe(600);
    });

    it('end when they are deleted', async () => {
      const gate = gated();
      let count = 0;
      await using running = await start(memory(), () => (++count > 10 ? gate.promise : undefined));
      await addSecrets(running.secrets, 100);
      await migrate(running.migrations);
      await expect.poll(() => count).toBeGreaterThan(10);
      await running.migrations.delete('a');
      gate.resolve();
      await migrate(running.migrations);
      await expect.poll(() => conditionsOf(running.migrations)).toEqual(SUCCEEDED);
      // eight are written at the same time
      expect(count).toBeLessThanOrEqual(100 + 10 + 8);
    });

    it('are tried again while the server is overloaded', async () => {
      let refused = 0;
      await using running = await start(memory(), () => {
        if (++refused <= 3) throw StatusError.tooManyRequests('not now', 0);
      });
      await addSecrets(running.secrets, 10);
      await migrate(running.migrations);
      await expect.poll(() => conditionsOf(running.migrations), PATIENT).toEqual(SUCCEEDED);
      expect(refused).toBeGreaterThanOrEqual(13);
    });

    const internal = (retryAfterSeconds?: number): StatusError =>
      new StatusError({
        ...{ code: 500, reason: 'InternalError', message: 'broken' },
        ...(retryAfterSeconds && { details: { retryAfterSeconds } }),
      });

    it('are tried again after an internal error that says when', async () => {
      let refused = 0;
      await using running = await start(memory(), () => {
        if (++refused <= 3) throw internal(1);
      });
      await addSecrets(running.secrets, 10);
      await migrate(running.migrations);
      await expect.poll(() => conditionsOf(running.migrations), PATIENT).toEqual(SUCCEEDED);
      expect(refused).toBeGreaterThanOrEqual(13);
    });

    it('fail with another internal error', async () => {
      await using running = await start(memory(), () => {
        throw internal();
      });
      await addSecrets(running.secrets, 10);
      await migrate(running.migrations);
      await expect
        .poll(() => conditionsOf(running.migrations), PATIENT)
        .toContain('Failed True StorageVersionMigrationFailed');
    });

    it('fail with the first error', async () => {
      await using running = await start(memory(), (name) => {
        if (name === 's7') throw StatusError.badRequest('not this one');
      });
      await addSecrets(running.secrets, 10);
      await migrate(running.migrations);
      await expect
        .poll(() => conditionsOf(running.migrations))
        .toContain('Failed True StorageVersionMigrationFailed');
      const { conditions = [] } = (await running.migrations.get('a')).status;
      expect(conditions.find(({ type }) => type === 'Failed')?.message).toMatch(
        /^migration encountered unhandled error: default\/s7: .*not this one/,
      );
    });

    it('fail if the resource is not served within a minute', async () => {
      const real = nodeAmbient(vocabulary).clock;
      let passed = 0;
      const clock: Clock = { ...real, now: () => real.now() + passed };
      await using running = await start(memory(), () => {}, clock);
      await migrate(running.migrations, 'nothings');
      expect(await conditionsOf(running.migrations)).toEqual([]);
      passed = 61_000;
      await expect
        .poll(() => conditionsOf(running.migrations), PATIENT)
        .toEqual(['Failed True StorageVersionMigrationFailed']);
    });

    const memory = () => createMemoryStore({ clock: nodeAmbient(vocabulary).clock });
  },
);
