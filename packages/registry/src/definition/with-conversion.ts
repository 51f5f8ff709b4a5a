import { andThen, type MaybePromise } from '@ashlar/core';
import type { ObjectEvent, ObjectObserver, ObjectRecord, ObjectStore, Watch } from '@ashlar/storage';

/**
 * Reads records ahead, such as in another version; undefined if there is nothing to wait for. `isReadAlone`: they are read one by one,
 * not as a list or as events.
 */
export type ReadAhead = (
  records: readonly ObjectRecord[],
  isReadAlone: boolean,
) => MaybePromise<void> | undefined;

/** A write, or what watches are told of it. */
interface Change {
  readonly record?: ObjectRecord | undefined;
  readonly previous?: ObjectRecord | undefined;
}

type Ready = (
  records: readonly (ObjectRecord | undefined)[],
  isReadAlone?: boolean,
) => MaybePromise<void> | undefined;

/**
 * Wraps a store to convert records before they are returned, and to read large ones with pauses: lists as a whole, events in order. A
 * failed conversion fails the call or ends the watch. What waits for nothing is as synchronous as the store is.
 * @param needsPrevious whether the states before events and changes are read ahead too
 */
export function withConversion(inner: ObjectStore, ahead: ReadAhead, needsPrevious = true): ObjectStore {
  const ready: Ready = (records, isReadAlone = false) =>
    ahead(
      records.filter((record): record is ObjectRecord => record !== undefined && !record.fault),
      isReadAlone,
    );
  const withPrevious = (change: Change): readonly (ObjectRecord | undefined)[] =>
    needsPrevious ? [change.record, change.previous] : [change.record];
  const { usage } = inner;
  return {
    get: (key, options) =>
      andThen(inner.get(key, options), (record) => after(ready([record], true), () => record)),
    list: (prefix, options) =>
      andThen(inner.list(prefix, options), (result) => after(ready(result.records), () => result)),
    async update(key, change, options) {
      const converted: typeof change = (current) => after(ready([current], true), () => change(current));
      const result = await inner.update(key, converted, options);
      return after(ready(withPrevious(result)), () => result);
    },
    watch: (prefix, options, observer) => {
      const queue = new EventQueue(observer, (batch) => ready(batch.flatMap(withPrevious)));
      return queue.endedWith(inner.watch(prefix, options, queue));
    },
    currentRevision: () => inner.currentRevision(),
    ...(usage && { usage: () => usage.call(inner) }),
  };
}

const after = <T>(waiting: MaybePromise<void> | undefined, next: () => MaybePromise<T>): MaybePromise<T> =>
  waiting === undefined ? next() : andThen(waiting, next);

/** Delivers batches in order, each after it is converted; at once if none waits. */
class EventQueue implements ObjectObserver {
  readonly #observer: ObjectObserver;
  readonly #ready: (batch: readonly ObjectEvent[]) => MaybePromise<void> | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Deliveries that wait. */
  #waiting = 0;
  #over = false;
  #watch: Disposable | undefined;

  constructor(
    observer: ObjectObserver,
    ready: (batch: readonly ObjectEvent[]) => MaybePromise<void> | undefined,
  ) {
    this.#observer = observer;
    this.#ready = ready;
  }

  events(batch: readonly ObjectEvent[]): void {
    this.#then(() =>
      after(this.#ready(batch), () => {
        if (!this.#over) this.#observer.events(batch);
      }),
    );
  }

  progress(revision: number): void {
    this.#then(() => this.#observer.progress?.(revision));
  }

  error(error: Error): void {
    this.#then(() => this.#fail(error));
  }

  endedWith(watch: Watch): Watch {
    this.#watch = watch;
    const delivered = (): number | undefined => (this.#waiting === 0 ? watch.delivered : undefined);
    return {
      get delivered() {
        return delivered();
      },
      [Symbol.dispose]: () => {
        this.#over = true;
        watch[Symbol.dispose]();
      },
    };
  }

  #then(next: () => MaybePromise<void>): void {
    if (this.#over) return;
    const delivering = this.#waiting === 0 ? this.#attempt(next) : this.#last.then(() => this.#attempt(next));
    if (!(delivering instanceof Promise)) return;
    this.#waiting++;
    this.#last = delivering.finally(() => {
      this.#waiting--;
    });
  }

  /** Never throws and never rejects. */
  #attempt(next: () => MaybePromise<void>): MaybePromise<void> {
    if (this.#over) return;
    try {
      const delivered = next();
      return delivered instanceof Promise
        ? delivered.catch((error) => this.#fail(error as Error))
        : delivered;
    } catch (error) {
      this.#fail(error as Error);
    }
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#over = true;
    this.#watch?.[Symbol.dispose]();
    this.#observer.error(error);
  }
}
