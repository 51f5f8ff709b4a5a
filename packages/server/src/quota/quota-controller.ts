import { quotaUsage, type ResourceQuota } from '@ashlar/apis';
import type { Controller } from '@ashlar/controllers';
import {
  type Ambient,
  type GroupResource,
  type JsonValue,
  jsonEqual,
  ownMember,
  parseQuantity,
  pause,
  sleep,
} from '@ashlar/core';
import type { ObjectEvent, ObjectRecord, ObjectStore } from '@ashlar/storage';
import { countUsage, typesOfQuota } from './count-usage.ts';
import { type LedgerEntry, QuotaLedger, usageLessFreed } from './quota-ledger.ts';

export interface QuotaControllerOptions {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly onError?: ((error: unknown) => void) | undefined;
}

type Amounts = Readonly<Record<string, string>>;
type Status = ResourceQuota['status'];

const QUOTAS = '/resourcequotas/';
const RETRY_MILLISECONDS = 1_000;
/** Watches that are begun before others may run: a quota may name thousands of types. */
const WATCHES = 50;
/** How often usage is compared with what is stored. */
const COMPARE_MILLISECONDS = 30_000;
/** A usage that has not risen for so long counts no request that is still to be stored. */
const QUIET_MILLISECONDS = 60_000;

/**
 * Creates the controller that writes the status of quotas: it counts what new quotas limit, subtracts what removed objects used, and
 * compares usage with what is stored. On several servers over one store every one runs it.
 */
export function createQuotaController(options: QuotaControllerOptions): Controller {
  return new QuotaController(options);
}

class QuotaController implements Controller {
  readonly #options: QuotaControllerOptions;
  readonly #ledger: QuotaLedger;
  readonly #ended = new AbortController();
  /** Watches of objects by the prefix of their keys. */
  readonly #watches: Map<string, Disposable> = new Map();
  /** Keys of quotas to work on. */
  readonly #waiting: Set<string> = new Set();
  /** Keys of quotas that were counted for the first time. */
  readonly #uncompared: Set<string> = new Set();
  #isRestarting = false;
  #quotas: Disposable | undefined;
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;

  constructor(options: QuotaControllerOptions) {
    this.#options = options;
    this.#ledger = new QuotaLedger(() => options.ambient.clock.monotonic());
  }

  start(): void {
    void this.#follow();
    void this.#compareRegularly();
  }

  async close(): Promise<void> {
    this.#ended.abort();
    this.#stopWatches();
    await this.#working;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Follows the quotas; from the start again after a failure. */
  async #follow(): Promise<void> {
    const { store } = this.#options;
    try {
      this.#isRestarting = false;
      this.#stopWatches();
      this.#ledger.clear();
      const { records, revision } = await store.list(QUOTAS);
      if (this.#ended.signal.aborted) return;
      for (const record of records) this.#observeQuota(record);
      this.#quotas = store.watch(
        QUOTAS,
        { afterRevision: revision },
        {
          events: (batch) => {
            for (const { type, record } of batch) {
              if (type === 'removed') this.#ledger.delete(record.key);
              else this.#observeQuota(record);
            }
          },
          error: (error) => void this.#again(error),
        },
      );
    } catch (error) {
      await this.#again(error);
    }
  }

  async #again(error: unknown): Promise<void> {
    if (this.#ended.signal.aborted || this.#isRestarting) return;
    this.#isRestarting = true;
    this.#options.onError?.(error);
    await sleep(this.#options.ambient.clock, RETRY_MILLISECONDS, this.#ended.signal).then(
      () => this.#follow(),
      () => {},
    );
  }

  #stopWatches(): void {
    for (const watch of [this.#quotas, ...this.#watches.values()]) watch?.[Symbol.dispose]();
    this.#watches.clear();
  }

  #observeQuota({ key, object, revision }: ObjectRecord): void {
    const entry = this.#ledger.set(key, object, revision);
    if (isOutdated(entry.quota) || this.#uncompared.has(key) || usageLessFreed(entry)) this.#enqueue(key);
  }

  #enqueue(key: string): void {
    this.#waiting.add(key);
    if (this.#isWorking) return;
    this.#isWorking = true;
    this.#working = this.#work();
  }

  async #work(): Promise<void> {
    for (const key of this.#waiting) {
      this.#waiting.delete(key);
      if (this.#ended.signal.aborted) break;
      const entry = this.#ledger.find(key);
      try {
        if (entry) await this.#settle(entry);
      } catch (error) {
        this.#options.onError?.(error);
      }
    }
    this.#isWorking = false;
  }

  async #settle(entry: LedgerEntry): Promise<void> {
    await this.#watchObjects(entry.quota);
    if (isOutdated(entry.quota)) return this.#count(entry, 'new');
    // objects that were created before the limit was known were not counted by their requests
    if (this.#uncompared.delete(entry.key)) return this.#count(entry, 'comparison');
    await this.#write(entry, () => {
      const used = usageLessFreed(entry);
      return used && { ...entry.quota.status, used };
    });
  }

  /** Watches the objects that a quota limits, from a revision at which the quota was known. */
  async #watchObjects(quota: ResourceQuota): Promise<void> {
    const { store } = this.#options;
    for (const [prefix, type] of typesOfQuota(quota)) {
      if (this.#watches.has(prefix)) continue;
      if (this.#watches.size % WATCHES === WATCHES - 1) await pause(this.#options.ambient);
      const afterRevision = await store.currentRevision();
      if (this.#ended.signal.aborted) return;
      const observer = {
        events: (batch: readonly ObjectEvent[]) => this.#objectsChanged(type, batch),
        error: (error: Error) => void this.#again(error),
      };
      this.#watches.set(prefix, store.watch(prefix, { afterRevision }, observer));
    }
  }

  #objectsChanged(type: GroupResource, batch: readonly ObjectEvent[]): void {
    const usage = quotaUsage(type, this.#options.ambient.vocabulary);
    if (!usage || this.#ledger.entries.length === 0) return;
    for (const { type: change, record, previous } of batch) {
      const before = change === 'removed' ? record.object : previous?.object;
      if (!before) continue;
      const after = change === 'removed' ? undefined : record.object;
      const namespace = before.metadata.namespace ?? '';
      for (const { key } of this.#ledger.fell(namespace, usage, [before, after], record.revision))
        this.#enqueue(key);
    }
  }

  /**
   * Counts what is stored. A new name of a quota gets that count; a usage that is too low is raised, and one that is too high is lowered
   * if no request can be under way.
   */
  async #count(entry: LedgerEntry, why: 'new' | 'comparison'): Promise<void> {
    const { store, ambient } = this.#options;
    const revision = await store.currentRevision();
    // what happened until now is counted
    entry.since = Math.max(entry.since, revision);
    entry.freed.clear();
    const stored = await countUsage(store, entry.quota, ambient, revision);
    const { hard = {} } = entry.quota.spec ?? {};
    const isQuiet = ambient.clock.monotonic() - entry.roseAt >= QUIET_MILLISECONDS;
    const isWritten = await this.#write(entry, () => {
      const { used: before = {} } = entry.quota.status ?? {};
      const used: Amounts = Object.fromEntries(
        Object.entries(stored).map(([name, count]) => [
          name,
          why === 'comparison' && isQuiet ? count : larger(count, ownMember(before, name)),
        ]),
      );
      entry.counted = used;
      return { hard, used };
    });
    if (!isWritten) entry.counted = undefined;
    else if (why === 'new') this.#uncompared.add(entry.key);
  }

  /** Writes a status, unless the quota has changed since the ledger saw it: that change is seen soon. */
  async #write(entry: LedgerEntry, statusOf: () => Status): Promise<boolean> {
    const { outcome } = await this.#options.store.update(entry.key, (record) => {
      if (!record || record.revision !== entry.revision) return { action: 'keep' };
      const status = statusOf();
      const quota: ResourceQuota = record.object;
      if (!status || isEqual(status, quota.status)) return { action: 'keep' };
      return { action: 'write', object: { ...quota, status } as ResourceQuota };
    });
    return outcome === 'updated';
  }

  async #compareRegularly(): Promise<void> {
    const { clock } = this.#options.ambient;
    try {
      for (;;) {
        await sleep(clock, COMPARE_MILLISECONDS, this.#ended.signal);
        for (const entry of this.#ledger.entries) await this.#compare(entry);
      }
    } catch (error) {
      if (!this.#ended.signal.aborted) this.#options.onError?.(error);
    }
  }

  async #compare(entry: LedgerEntry): Promise<void> {
    if (usageLessFreed(entry) || isOutdated(entry.quota)) return this.#enqueue(entry.key);
    await this.#count(entry, 'comparison').catch((error) => this.#options.onError?.(error));
  }
}

/** Whether what a quota limits has changed, or has not been counted. */
function isOutdated({ spec, status }: ResourceQuota): boolean {
  const hard = spec?.hard ?? NOTHING;
  if (!areSameLimits(hard, status?.hard ?? NOTHING) || (status === undefined && spec !== undefined))
    return true;
  return namesOf(hard).some((name) => ownMember(status?.used ?? NOTHING, name) === undefined);
}

const NOTHING: Amounts = {};

/** Limits that were found to be equal: there may be thousands, which are the same objects after each write of the usage. */
const SAME_LIMITS: WeakMap<Amounts, WeakSet<Amounts>> = new WeakMap();

function areSameLimits(wanted: Amounts, counted: Amounts): boolean {
  if (SAME_LIMITS.get(wanted)?.has(counted)) return true;
  if (!isEqual(wanted, counted)) return false;
  SAME_LIMITS.set(wanted, new WeakSet([counted]));
  return true;
}

const NAMES: WeakMap<Amounts, readonly string[]> = new WeakMap();

/** The names of limits, which are listed once. */
function namesOf(hard: Amounts): readonly string[] {
  const names = NAMES.get(hard) ?? Object.keys(hard);
  NAMES.set(hard, names);
  return names;
}

const isEqual = (a: object | undefined, b: object | undefined): boolean =>
  jsonEqual((a ?? null) as JsonValue, (b ?? null) as JsonValue);

const larger = (a: string, b: string | undefined): string =>
  b !== undefined && parseQuantity(b).compare(parseQuantity(a)) > 0 ? b : a;
