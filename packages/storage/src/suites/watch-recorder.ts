import type { KeyValueEvent, KeyValueStore } from '../contracts/key-value-store.ts';

/** Records the events of a watch. */
export class WatchRecorder implements Disposable {
  readonly received: KeyValueEvent[] = [];
  failure: Error | undefined;
  #watch: Disposable | undefined;
  #listeners: (() => void)[] = [];

  /** Starts a watch. */
  constructor(store: KeyValueStore, prefix: string, afterRevision: number) {
    const notify = (): void => {
      if (!this.#watch) this.failure ??= new Error('the observer was called before watch() had returned');
      for (const listener of this.#listeners) listener();
    };
    const events = (batch: readonly KeyValueEvent[]): void => {
      if (this.failure) throw new Error('events came behind the end of the watch');
      if (batch.length === 0) this.failure = new Error('an empty batch was delivered');
      this.received.push(...batch);
      notify();
    };
    const error = (failure: Error): void => {
      this.failure = this.failure ? new Error('the watch ended twice') : failure;
      notify();
    };
    this.#watch = store.watch(prefix, { afterRevision }, { events, error });
  }

  /** Resolves when an event of that revision or a later one has been received; rejects if the watch ends before. */
  async reaches(revision: number): Promise<void> {
    await this.#until(() => this.failure !== undefined || (this.received.at(-1)?.revision ?? 0) >= revision);
    if (this.failure) throw this.failure;
  }

  /** Resolves with the error that ends the watch. */
  async ends(): Promise<Error> {
    await this.#until(() => this.failure !== undefined);
    return this.failure as Error;
  }

  [Symbol.dispose](): void {
    this.#watch?.[Symbol.dispose]();
  }

  #until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const listener = (): void => {
        if (!condition()) return;
        this.#listeners = this.#listeners.filter((other) => other !== listener);
        resolve();
      };
      this.#listeners.push(listener);
      listener();
    });
  }
}
