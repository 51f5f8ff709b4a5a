import type { KeyValueEvent, KeyValueStore } from '@ashlar/storage';

/** A watch, its received events, and promises of later ones. */
export class WatchLog implements Disposable {
  readonly events: KeyValueEvent[] = [];
  progress: number = 0;
  failure: Error | undefined;
  readonly #watch: Disposable;
  #told: (() => void)[] = [];

  constructor(store: KeyValueStore, prefix: string, afterRevision: number) {
    const tell = (): void => {
      for (const told of this.#told) told();
    };
    this.#watch = store.watch(
      prefix,
      { afterRevision },
      {
        events: (batch) => {
          this.events.push(...batch);
          tell();
        },
        error: (error) => {
          this.failure = error;
          tell();
        },
        progress: (revision) => {
          this.progress = revision;
          tell();
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
        this.#told = this.#told.filter((other) => other !== look);
      };
      this.#told.push(look);
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
