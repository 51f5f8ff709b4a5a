import type { MaybePromise } from '@ashlar/core';
import type { KeyValueEvent, Watch, WatchObserver } from '@ashlar/storage';

/** Decrypts the events of a watch, and delivers everything in its order, also where decryption waits for a key service. */
export class DecryptingObserver implements WatchObserver {
  readonly progress?: (revision: number) => void;
  readonly #observer: WatchObserver;
  readonly #read: (batch: readonly KeyValueEvent[]) => MaybePromise<readonly KeyValueEvent[]>;
  #last: Promise<void> | undefined;
  #isOver: boolean = false;

  constructor(
    observer: WatchObserver,
    read: (batch: readonly KeyValueEvent[]) => MaybePromise<readonly KeyValueEvent[]>,
  ) {
    this.#observer = observer;
    this.#read = read;
    if (observer.progress)
      this.progress = (revision) => this.#then(() => this.#observer.progress?.(revision));
  }

  events(batch: readonly KeyValueEvent[]): void {
    const read = this.#read(batch);
    if (!(read instanceof Promise)) {
      this.#then(() => this.#observer.events(read));
      return;
    }
    this.#wait(read.then((events) => () => this.#observer.events(events)));
  }

  error(error: Error): void {
    this.#then(() => this.#observer.error(error));
  }

  /** The watch that its caller gets. */
  watchOf(watch: Watch): Watch {
    const observer = this;
    return {
      get delivered() {
        return observer.#last ? undefined : watch.delivered;
      },
      [Symbol.dispose]: () => {
        observer.#isOver = true;
        watch[Symbol.dispose]();
      },
    };
  }

  #then(call: () => void): void {
    if (this.#last) this.#wait(Promise.resolve(call));
    else if (!this.#isOver) call();
  }

  #wait(next: Promise<() => void>): void {
    const last: Promise<void> = Promise.all([next, this.#last]).then(([call]) => {
      if (!this.#isOver) call();
      if (this.#last === last) this.#last = undefined;
    });
    this.#last = last;
  }
}
