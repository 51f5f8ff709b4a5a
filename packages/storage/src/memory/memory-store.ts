import type { Entry } from '../contracts/entry.ts';
import type {
  KeyValueStore,
  PutOptions,
  RangeOptions,
  RangeResult,
  StoreCapabilities,
  StoreUsage,
  Watch,
  WatchObserver,
  WatchOptions,
  WriteResult,
} from '../contracts/key-value-store.ts';
import { StoreClosedError } from '../contracts/key-value-store.ts';
import { LeaseQueue, type LeaseQueueOptions } from './lease-queue.ts';
import { type HistoryOptions, MvccCore } from './mvcc-core.ts';

/** The engine in memory. It is synchronous: only disposal returns a promise. */
export interface MemoryStore extends KeyValueStore {
  get(key: string): Entry | undefined;
  range(prefix: string, options?: RangeOptions): RangeResult;
  put(key: string, value: Uint8Array, options?: PutOptions): WriteResult;
  delete(key: string, options?: { readonly ifRevision?: number }): WriteResult;
  currentRevision(): number;
  compact(revision: number): void;
  fork(): MemoryStore;
}

/**
 * Creates an engine that stores everything in memory and forks at no cost. Values are not copied: the caller must not modify them
 * afterwards.
 *
 * @example
 * const store = createMemoryStore({ clock });
 * store.put('/pods/default/a', bytes, { ifRevision: 0 }); // { ok: true, revision: 2, … }
 * const fork = store.fork();
 * fork.delete('/pods/default/a');
 * store.get('/pods/default/a')?.revision; // 2
 */
export function createMemoryStore(options: HistoryOptions): MemoryStore {
  return new MemoryEngine(options, new MvccCore(options));
}

/** Creates an engine in memory from a forked core and its leases: the fork of other engines. */
export function toMemoryStore(core: MvccCore, leases: LeaseQueue, options: HistoryOptions): MemoryStore {
  return new MemoryEngine(options, core.fork(), leases);
}

const CAPABILITIES: StoreCapabilities = {
  durable: false,
  fork: true,
  leases: true,
  progress: false,
  selection: true,
};

class MemoryEngine implements MemoryStore {
  readonly supports: StoreCapabilities = CAPABILITIES;
  readonly #options: HistoryOptions;
  readonly #core: MvccCore;
  readonly #leases: LeaseQueue;
  #closed: boolean = false;

  constructor(options: HistoryOptions, core: MvccCore, leases?: LeaseQueue) {
    this.#options = options;
    this.#core = core;
    const hooks: LeaseQueueOptions = {
      clock: options.clock,
      isCurrent: ({ key, revision }) => core.get(key)?.revision === revision,
      expire: ({ key }) => core.remove(key),
    };
    this.#leases = leases?.fork(hooks) ?? new LeaseQueue(hooks);
  }

  get(key: string): Entry | undefined {
    this.#mustBeOpen();
    return this.#core.get(key);
  }

  range(prefix: string, options?: RangeOptions): RangeResult {
    this.#mustBeOpen();
    return this.#core.range(prefix, options);
  }

  put(key: string, value: Uint8Array, options: PutOptions = {}): WriteResult {
    this.#mustBeOpen();
    const { ifRevision, leaseSeconds } = options;
    const previous = this.#core.get(key);
    if (ifRevision !== undefined && ifRevision !== (previous?.revision ?? 0))
      return this.#rejectedWrite(previous);
    const { revision, entry } = this.#core.put(key, value);
    if (leaseSeconds !== undefined) {
      const deadline = this.#options.clock.monotonic() + leaseSeconds * 1000;
      this.#leases.add({ key, revision, deadline });
    }
    return written(revision, entry, previous);
  }

  delete(key: string, { ifRevision }: { readonly ifRevision?: number } = {}): WriteResult {
    this.#mustBeOpen();
    const previous = this.#core.get(key);
    if (!previous || (ifRevision ?? previous.revision) !== previous.revision)
      return this.#rejectedWrite(previous);
    return written(this.#core.remove(key).revision, undefined, previous);
  }

  watch(prefix: string, options: WatchOptions, observer: WatchObserver): Watch {
    this.#mustBeOpen();
    return this.#core.watch(prefix, options, observer);
  }

  currentRevision(): number {
    this.#mustBeOpen();
    return this.#core.revision;
  }

  compact(revision: number): void {
    this.#mustBeOpen();
    this.#core.compact(revision);
  }

  usage(): StoreUsage {
    return this.#core.usage;
  }

  fork(): MemoryStore {
    this.#mustBeOpen();
    return toMemoryStore(this.#core, this.#leases, this.#options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.#leases.clear();
    this.#core.fail(new StoreClosedError());
  }

  #rejectedWrite(current: Entry | undefined): WriteResult {
    const { revision } = this.#core;
    return current ? { ok: false, revision, current } : { ok: false, revision };
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new StoreClosedError();
  }
}

function written(revision: number, entry: Entry | undefined, previous: Entry | undefined): WriteResult {
  return { ok: true, revision, ...(entry && { entry }), ...(previous && { previous }) };
}
