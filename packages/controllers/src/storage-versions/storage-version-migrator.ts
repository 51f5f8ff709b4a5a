import type { MigrationCondition, StorageVersionMigration } from '@ashlar/apis';
import { groupVersionPath, type ResourceClient, type WorkResult } from '@ashlar/client';
import {
  type GroupVersionResource,
  groupName,
  printErrors,
  StatusError,
  timestampText,
  undefinedIfNotFound,
} from '@ashlar/core';
import {
  type Controller,
  type ControllerOptions,
  controllerOfLoop,
  type RunningLoop,
} from '../loop/controller.ts';
import { startObjectLoop } from '../loop/object-loop.ts';
import { isOver, withCondition } from './migration-status.ts';
import { type RewrittenObjects, rewriteObjects } from './rewrite-objects.ts';

/**
 * Carries out storage version migrations: writes every object of their resource again, and reports it in the conditions Running, Succeeded
 * and Failed (semantics/lifecycle#storage-version-migrations). The page that follows is noted in the migration, so that another controller
 * goes on there after a restart. A migration that is deleted ends.
 * @example
 * const controller = createStorageVersionMigrator({ client, ambient });
 * controller.start();
 */
export function createStorageVersionMigrator(options: ControllerOptions): Controller {
  return controllerOfLoop(() => new StorageVersionMigrator(options).start());
}

const MANAGER = 'storage-version-migrator-controller';
const WORKERS = 5;
/** A resource may be served a little later than its migration is created. */
const GRACE_MILLISECONDS = 60_000;
const AGAIN_MILLISECONDS = 1000;

const REASONS = {
  Running: 'StorageVersionMigrationInProgress',
  Succeeded: 'StorageVersionMigrationSucceeded',
  Failed: 'StorageVersionMigrationFailed',
} as const;

interface Discovered {
  readonly name: string;
  readonly verbs: readonly string[];
}

class StorageVersionMigrator {
  readonly #options: ControllerOptions;
  readonly #migrations: ResourceClient<StorageVersionMigration>;
  /** What ends the work on a migration, by its uid. */
  readonly #running = new Map<string | undefined, AbortController>();

  constructor(options: ControllerOptions) {
    const { client, ambient } = options;
    this.#options = options;
    this.#migrations = client.resource({
      group: groupName(ambient.vocabulary, 'storagemigration.'),
      ...{ version: 'v1alpha1', resource: 'storageversionmigrations', kind: 'StorageVersionMigration' },
    });
  }

  start(): RunningLoop {
    const { ambient, onError = printErrors('controller of storage version migrations') } = this.#options;
    return startObjectLoop({
      ...{ resource: this.#migrations, ambient, onError, workers: WORKERS },
      work: (migration, signal) => this.#work(migration, signal),
      deleted: ({ metadata }) => this.#running.get(metadata.uid)?.abort(),
    });
  }

  async #work(migration: StorageVersionMigration, signal: AbortSignal): Promise<WorkResult | undefined> {
    if (isOver(migration)) return undefined;
    const { uid } = migration.metadata;
    const deletion = new AbortController();
    this.#running.set(uid, deletion);
    try {
      return await this.#migrate(migration, AbortSignal.any([signal, deletion.signal]));
    } catch (error) {
      if (deletion.signal.aborted) return undefined;
      throw error;
    } finally {
      this.#running.delete(uid);
    }
  }

  async #migrate(migration: StorageVersionMigration, signal: AbortSignal): Promise<WorkResult | undefined> {
    const { metadata, spec } = migration;
    const { group = '', version = '', resource = '' } = spec?.resource ?? {};
    const migrated = { group, version, resource };
    const resourceVersion = migration.status?.resourceVersion || (await this.#versionOf(migrated, signal));
    if (resourceVersion === undefined) return this.#reportMissing(migration);
    const started = await this.#migrations.status.update(
      withCondition(migration, this.#condition('Running', ''), resourceVersion),
      { signal },
    );
    const failure = await this.#rewrite(migrated, started, signal);
    // written by this controller meanwhile
    const current = await this.#migrations.get(metadata.name ?? '', { signal });
    if (current.metadata.uid !== metadata.uid) return undefined;
    const condition = failure
      ? this.#condition('Failed', `migration encountered unhandled error: ${failure}`)
      : this.#condition('Succeeded', '');
    await this.#migrations.status.update(withCondition(current, condition), { signal });
    return undefined;
  }

  /** Writes the objects again. @returns why the first one cannot be written, or why they are no longer listed */
  async #rewrite(
    resource: GroupVersionResource,
    migration: StorageVersionMigration,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    try {
      const { failures } = await this.#rewriteObjects(resource, migration, signal);
      return failures[0] && `${failures[0].name}: ${failures[0].error.message}`;
    } catch (error) {
      // the type has been removed meanwhile; if it is the migration itself, its status cannot be written either
      if (StatusError.is(error) && error.code === 404) return error.message;
      throw error;
    }
  }

  async #rewriteObjects(
    resource: GroupVersionResource,
    { metadata, spec }: StorageVersionMigration,
    signal: AbortSignal,
  ): Promise<RewrittenObjects> {
    const { client, ambient } = this.#options;
    const { name = '', uid } = metadata;
    return rewriteObjects({
      ...{ client, vocabulary: ambient.vocabulary, resource, signal, fieldManager: MANAGER },
      from: spec?.continueToken,
      pageWritten: async ({ failures }, next) => {
        const interruption = failures.find(({ error }) => isTransient(error));
        if (interruption) throw interruption.error;
        const patch = { metadata: { uid }, spec: { continueToken: next || null } };
        await this.#migrations.patch(name, { type: 'merge', patch }, { fieldManager: MANAGER, signal });
        return failures.length === 0;
      },
    });
  }

  /** The version of the collection; undefined if the resource is not served. */
  async #versionOf(resource: GroupVersionResource, signal: AbortSignal): Promise<string | undefined> {
    const { client } = this.#options;
    const request = { method: 'GET', path: groupVersionPath(resource), signal };
    const discovered = (await client.request(request).catch(undefinedIfNotFound)) as
      | { readonly resources: readonly Discovered[] }
      | undefined;
    const found = discovered?.resources.find(({ name }) => name === resource.resource);
    if (!found?.verbs.includes('list') || !found.verbs.includes('patch')) return undefined;
    const { metadata } = await client.resource(resource).list({ limit: 1, signal });
    return metadata.resourceVersion;
  }

  async #reportMissing(migration: StorageVersionMigration): Promise<WorkResult | undefined> {
    const created = Date.parse(migration.metadata.creationTimestamp ?? '');
    const rest = created + GRACE_MILLISECONDS - this.#options.ambient.clock.now();
    if (rest > 0) return { againAfterMilliseconds: Math.min(rest, AGAIN_MILLISECONDS) };
    const condition = this.#condition('Failed', 'resource does not exist in discovery');
    await this.#migrations.status.update(withCondition(migration, condition));
    return undefined;
  }

  #condition(type: 'Running' | 'Succeeded' | 'Failed', message: string): MigrationCondition {
    const lastUpdateTime = timestampText(this.#options.ambient.clock.now());
    return { type, status: 'True', lastUpdateTime, reason: REASONS[type], ...(message && { message }) };
  }
}

/**
 * Whether the server was not reached, is overloaded, or says when to try again, as it does when its storage is not reached: the work is
 * tried again. Another internal error, such as that of a webhook, is final.
 */
function isTransient(error: Error): boolean {
  if (!StatusError.is(error)) return true;
  const { code, reason, details } = error;
  if ([429, 503, 504].includes(code) || reason === 'ServerTimeout') return true;
  return code >= 500 && (details?.retryAfterSeconds ?? 0) > 0;
}
