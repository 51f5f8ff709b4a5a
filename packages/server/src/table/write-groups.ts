/** Waits until the change is in the table. */
export type WriteChange<C> = (change: C) => Promise<void>;

interface Member<C> {
  readonly key: string;
  readonly work: (write: WriteChange<C>) => Promise<void>;
}

interface Waiting<C> {
  readonly change: C;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Runs writes in groups: those of a group run side by side and have different keys, and what they change is written by one call once each
 * of them has decided. The next group begins when all of them have ended.
 */
export class WriteGroups<C> {
  readonly #write: (changes: readonly C[]) => Promise<void>;
  readonly #maximum: number;
  #queue: Member<C>[] = [];
  #running = false;

  /**
   * @param write writes all of the changes or none of them. When it fails, it is called again with each of them alone
   * @param maximum of the writes in a group
   */
  constructor(write: (changes: readonly C[]) => Promise<void>, maximum: number) {
    this.#write = write;
    this.#maximum = maximum;
  }

  /** @param work is given the function that writes; it runs when the writes before it have ended */
  run<T>(key: string, work: (write: WriteChange<C>) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ key, work: (write) => work(write).then(resolve, reject) });
      if (!this.#running) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#running = true;
    // writes of the same turn belong to one group
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#runGroup(this.#nextGroup());
    this.#running = false;
  }

  #nextGroup(): readonly Member<C>[] {
    const keys = new Set<string>();
    for (const { key } of this.#queue) {
      if (keys.size === this.#maximum || keys.has(key)) break;
      keys.add(key);
    }
    return this.#queue.splice(0, keys.size);
  }

  async #runGroup(members: readonly Member<C>[]): Promise<void> {
    let waiting: Waiting<C>[] = [];
    let active = members.length;
    const writeOnceAllDecided = () => {
      if (waiting.length === 0 || waiting.length < active) return;
      const decided = waiting;
      waiting = [];
      void this.#writeAll(decided);
    };
    const write = (change: C) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ change, resolve, reject });
        writeOnceAllDecided();
      });
    await Promise.all(
      members.map(async ({ work }) => {
        await work(write);
        active--;
        writeOnceAllDecided();
      }),
    );
  }

  async #writeAll(waiting: readonly Waiting<C>[]): Promise<void> {
    try {
      await this.#write(waiting.map(({ change }) => change));
      for (const { resolve } of waiting) resolve();
    } catch (error) {
      if (waiting.length === 1) waiting[0]?.reject(error);
      // one of them may be the reason: each is tried alone, so that only it fails
      else for (const one of waiting) await this.#writeAll([one]);
    }
  }
}
