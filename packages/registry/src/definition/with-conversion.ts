import type { MaybePromise } from '@ashlar/core';
import type { ObjectEvent, ObjectObserver, ObjectRecord, ObjectStore } from '@ashlar/storage';

/** Converts records; undefined if there is nothing to wait for. `isRead`: they are read one by one, not as a list or as events. */
export type ConvertAhead = (
  records: readonly ObjectRecord[],
  isRead: boolean,
) => MaybePromise<void> | undefined;

/**
 * Wraps a store to convert records before they are returned: lists as a whole, events in order. A failed conversion fails the call or
 * ends the watch.
 */
export function withConversion(inner: ObjectStore, ahead: ConvertAhead): ObjectStore {
  const ready = async (records: readonly (ObjectRecord | undefined)[], isRead = false): Promise<void> =>
    ahead(
      records.filter((record): record is ObjectRecord => record !== undefined && !record.fault),
      isRead,
    );
  return {
    async get(key, options) {
      const record = await inner.get(key, options);
      await ready([record], true);
      return record;
    },
    async list(prefix, options) {
      const result = await inner.list(prefix, options);
      await ready(result.records);
      return result;
    },
    async update(key, change, options) {
      const converted = async (current: ObjectRecord | undefined) => {
        await ready([current], true);
        return change(current);
      };
      const result = await inner.update(key, converted, options);
      await ready([result.record, result.previous]);
      return result;
    },
    watch: (prefix, options, observer) => {
      const queue = new EventQueue(observer, ready);
      const watch = inner.watch(prefix, options, queue);
      return queue.endedWith(watch);
    },
    currentRevision: () => inner.currentRevision(),
  };
}

/** Delivers batches in order, each after it is converted. */
class EventQueue implements ObjectObserver {
  readonly #observer: ObjectObserver;
  readonly #ready: (records: readonly (ObjectRecord | undefined)[]) => Promise<void>;
  #last: Promise<void> = Promise.resolve();
  #over = false;
  #watch: Disposable | undefined;

  constructor(
    observer: ObjectObserver,
    ready: (records: readonly (ObjectRecord | undefined)[]) => Promise<void>,
  ) {
    this.#observer = observer;
    this.#ready = ready;
  }

  events(batch: readonly ObjectEvent[]): void {
    this.#then(async () => {
      await this.#ready(batch.flatMap(({ record, previous }) => [record, previous]));
      if (!this.#over) this.#observer.events(batch);
    });
  }

  progress(revision: number): void {
    this.#then(async () => this.#observer.progress?.(revision));
  }

  error(error: Error): void {
    this.#then(async () => this.#fail(error));
  }

  endedWith(watch: Disposable): Disposable {
    this.#watch = watch;
    return {
      [Symbol.dispose]: () => {
        this.#over = true;
        watch[Symbol.dispose]();
      },
    };
  }

  #then(next: () => Promise<void>): void {
    this.#last = this.#last.then(async () => {
      if (this.#over) return;
      try {
        await next();
      } catch (error) {
        this.#fail(error as Error);
      }
    });
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch?.[Symbol.dispose]();
    this.#observer.error(error);
  }
}
