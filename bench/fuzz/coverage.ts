import { type Profiler, Session } from 'node:inspector';

/** Which parts of the packages' code have ever run, by V8's coverage. */
export class Coverage implements Disposable {
  readonly #session = new Session();
  readonly #seen = new Set<string>();
  #fresh: readonly string[] = [];

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** Number of parts that ran for the first time since the last call; only `keep` records them. */
  peek(): number {
    const fresh: string[] = [];
    this.#look((part) => {
      if (!this.#seen.has(part)) fresh.push(part);
    });
    this.#fresh = fresh;
    return fresh.length;
  }

  /** Records the last result. */
  keep(): void {
    for (const part of this.#fresh) this.#seen.add(part);
    this.#fresh = [];
  }

  /** Discards coverage since the last call. */
  skip(): void {
    this.#look(() => {});
  }

  get size(): number {
    return this.#seen.size;
  }

  #look(tell: (part: string) => void): void {
    this.#session.post('Profiler.takePreciseCoverage', (error, taken) => {
      if (error) throw error;
      for (const script of taken.result) if (script.url.includes('/packages/')) tellOf(script, tell);
    });
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

function tellOf({ scriptId, functions }: Profiler.ScriptCoverage, tell: (part: string) => void): void {
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges)
      if (count > 0) tell(`${scriptId}:${startOffset}:${endOffset}`);
}
