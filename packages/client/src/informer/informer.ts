import {
  type ApiObject,
  actualValueText,
  checkOptionNames,
  printErrors,
  StatusError,
  sleep,
} from '@ashlar/core';
import { backOffDelay, jittered } from '../client/back-off.ts';
import type { ResourceClient } from '../client/resource-client.ts';
import type { SelectionOptions } from '../client/resource-options.ts';
import { isExpired } from '../client/watch-events.ts';
import { isTransient } from '../connection/connection.ts';
import { type Change, InformerStore } from './informer-store.ts';
import type { Lister } from './lister.ts';

/** Called with every change, in the order of the server. Exceptions go to the informer's `onError`. */
export interface InformerHandler<T> {
  added?(object: T): void;
  /** With the new state first, unlike the `UpdateFunc` of client-go. */
  updated?(object: T, previous: T): void;
  /** With the last known state. */
  deleted?(object: T): void;
}

/** A copy of a collection that follows the server. */
export interface Informer<T extends ApiObject> extends Lister<T>, AsyncDisposable {
  /**
   * Resolves when the first list has been stored and its handlers called; rejects if the informer is closed before,
   * or, with the error, if the resource cannot be listed: a rejection such as 404 that stays after some retries, which go on all the same.
   */
  readonly synced: Promise<void>;
  /** Whether the first list has been stored. */
  readonly hasSynced: boolean;
  /** The last seen version; empty before the first list. */
  readonly resourceVersion: string;
  /** Notifies the handler of all existing objects, as added, and of every change from then on. */
  addHandler(handler: InformerHandler<T>): Disposable;
  /** Ends the watch. Objects stay, and are no longer updated. */
  close(): Promise<void>;
}

/** What an informer follows, and who gets its errors. By default it follows the entire collection. */
export interface InformerOptions extends Omit<SelectionOptions, 'signal'> {
  /** Called with errors that are retried, each time, and with exceptions of handlers. By default they are printed. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What an informer needs of a resource. */
export type ListedResource<T extends ApiObject> = Pick<ResourceClient<T>, 'ambient' | 'pages' | 'watch'>;

const BACK_OFF = { base: 800, maximum: 30_000 };

/** Number of failures in a row after which a rejection, such as a 404, is no passing state of the server. */
const LASTING = 3;

/**
 * Lists a collection and watches it from there, over as many connections as needed; if the server has lost
 * events, lists again and reports the difference. Starts immediately.
 *
 * @example
 * await using informer = createInformer(client.resource<ConfigMap>(configMaps));
 * informer.addHandler({ added: (object) => console.log(object.metadata.name) });
 * await informer.synced;
 * informer.get('default', 'a');
 */
export function createInformer<T extends ApiObject>(
  resource: ListedResource<T>,
  options: InformerOptions = {},
): Informer<T> {
  checkResource(resource);
  checkOptionNames('createInformer', options, ['labelSelector', 'fieldSelector', 'onError']);
  return new WatchingInformer(resource, options);
}

function checkResource(resource: unknown): void {
  const { pages, watch, ambient } = (resource ?? {}) as Partial<ListedResource<ApiObject>>;
  if (typeof pages === 'function' && typeof watch === 'function' && ambient) return;
  throw new TypeError(
    `createInformer takes a resource of a client, such as client.resource(definition), not ${actualValueText(resource)}`,
  );
}

function checkHandler(handler: unknown): void {
  const { added, updated, deleted } = (handler ?? {}) as Partial<Record<string, unknown>>;
  const calls = [added, updated, deleted].filter((call) => call !== undefined);
  if (calls.length > 0 && calls.every((call) => typeof call === 'function')) return;
  throw new TypeError(
    `informer.addHandler takes an object with some of the functions added, updated and deleted, not ${actualValueText(handler)}`,
  );
}

class WatchingInformer<T extends ApiObject> implements Informer<T> {
  readonly synced: Promise<void>;
  readonly #resource: ListedResource<T>;
  readonly #options: InformerOptions;
  readonly #store = new InformerStore<T>();
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #version = '';
  /** The last list and the events since are complete up to the version. */
  #current = false;
  /** In a row, without an event in between. */
  #failures = 0;
  readonly #onError: (error: unknown) => void;
  #resolveSynced: () => void = () => {};
  #rejectSynced: (error: unknown) => void = () => {};

  constructor(resource: ListedResource<T>, options: InformerOptions) {
    this.#resource = resource;
    this.#options = options;
    this.#onError = options.onError ?? printErrors('informer');
    this.synced = new Promise((resolve, reject) => {
      this.#resolveSynced = resolve;
      this.#rejectSynced = reject;
      this.#closing.signal.addEventListener('abort', () => reject(this.#closing.signal.reason));
    });
    // callers that wait get the error; others need not handle it
    this.synced.catch(() => {});
    this.#ended = this.#run();
  }

  get hasSynced(): boolean {
    return this.#version !== '';
  }

  get resourceVersion(): string {
    return this.#version;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#store.get(namespace, name);
  }

  list(namespace?: string): readonly T[] {
    return this.#store.list(namespace);
  }

  addHandler(handler: InformerHandler<T>): Disposable {
    checkHandler(handler);
    this.#handlers.add(handler);
    for (const object of this.#store.list()) this.#notifyOne(handler, { type: 'added', object });
    return { [Symbol.dispose]: () => void this.#handlers.delete(handler) };
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the informer has been closed'));
    await this.#ended;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { clock, random, transientRandom = random } = this.#resource.ambient;
    while (!signal.aborted) {
      try {
        if (!this.#current) await this.#list(this.#failures > 0);
        await this.#watch();
      } catch (error) {
        if (signal.aborted) return;
        // a list would hide changes in between; without another response of a server the watch can continue
        if (StatusError.is(error)) this.#current = false;
        const listAnew = isExpired(error) && this.#failures === 0;
        this.#failures++;
        if (listAnew) continue;
        this.#onError(error);
        if (this.#failures >= LASTING && !isTransient(error)) this.#rejectSynced(error);
        const delay = jittered(backOffDelay(BACK_OFF, this.#failures), transientRandom);
        await sleep(clock, delay, signal).catch(() => {});
      }
    }
  }

  /** @param inOnePage whether to list everything at once: a list of pages may expire between two of them */
  async #list(inOnePage: boolean): Promise<void> {
    const { signal } = this.#closing;
    const objects: T[] = [];
    let version = '';
    const limit = inOnePage ? { limit: 0 } : {};
    for await (const page of this.#resource.pages({ ...this.#selection(), ...limit, signal })) {
      for (const object of page.items) objects.push(object);
      version = page.metadata.resourceVersion ?? '';
    }
    for (const change of this.#store.replace(objects)) this.#emit(change);
    this.#version = version;
    this.#current = true;
    this.#resolveSynced();
  }

  async #watch(): Promise<void> {
    const options = { ...this.#selection(), resourceVersion: this.#version, bookmarks: true };
    for await (const { type, object } of this.#resource.watch({ ...options, signal: this.#closing.signal })) {
      this.#failures = 0;
      const change =
        type === 'DELETED'
          ? this.#store.delete(object)
          : type === 'BOOKMARK'
            ? undefined
            : this.#store.set(object);
      this.#version = object.metadata.resourceVersion ?? this.#version;
      if (change) this.#emit(change);
    }
  }

  #selection(): Omit<SelectionOptions, 'signal'> {
    const { onError, ...selection } = this.#options;
    return selection;
  }

  #emit(change: Change<T>): void {
    for (const handler of this.#handlers) this.#notifyOne(handler, change);
  }

  #notifyOne(handler: InformerHandler<T>, change: Change<T>): void {
    try {
      if (change.type === 'added') handler.added?.(change.object);
      else if (change.type === 'updated') handler.updated?.(change.object, change.previous);
      else handler.deleted?.(change.object);
    } catch (error) {
      this.#onError(error);
    }
  }
}
