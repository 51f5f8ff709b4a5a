import type { KeyValueEvent, KeyValueStore } from '@ashlar/storage';

/** A watch, its received events, and promises of later ones. */
export class WatchLog implements Disposable {
  readonly events: KeyValueEvent[] = [];
  progress: number = 0;
  failure: Error | undefined;
  readonly #watch: Disposable;
  #received: (() => void)[] = [];

  constructor(store: KeyValueStore, prefix: string, afterRevision: number) {
    const notify = (): void => {
      for (const received of this.#received) received();
    };
    this.#watch = store.watch(
      prefix,
      { afterRevision },
      {
        events: (batch) => {
          this.events.push(...batch);
          notify();
        },
        error: (error) => {
          this.failure = error;
          notify();
        },
        progress: (revision) => {
          this.progress = revision;
          notify();
        },
      },
    );
  }

  get revisions(): number[] {
    return this.events.map((event) => event.revision);
  }

  /** Resolves when the condition holds; rejects if the watch ends before. */
  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (condition()) resolve();
        else if (this.failure) reject(this.failure);
        else return;
        this.#received = this.#received.filter((other) => other !== look);
      };
      this.#received.push(look);
      look();
    });
  }

  reaches(revision: number): Promise<void> {
    return this.until(() => (this.events.at(-1)?.revision ?? 0) >= revision);
  }

  async ends(): Promise<Error> {
    await this.until(() => this.failure !== undefined);
    return this.failure as Error;
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }
}
