import { type Profiler, Session } from 'node:inspector';

/** Which parts of the packages' code have ever run, as V8 counts it. */
export class Coverage implements Disposable {
  readonly #session = new Session();
  readonly #seen = new Set<string>();
  #fresh: readonly string[] = [];

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** How many parts have run since the last look that never ran before; they are remembered by `keep` alone. */
  peek(): number {
    const fresh: string[] = [];
    this.#look((part) => {
      if (!this.#seen.has(part)) fresh.push(part);
    });
    this.#fresh = fresh;
    return fresh.length;
  }

  /** Remembers what the last look found. */
  keep(): void {
    for (const part of this.#fresh) this.#seen.add(part);
    this.#fresh = [];
  }

  /** Forgets what ran since the last look. */
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
