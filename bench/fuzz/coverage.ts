import { type Profiler, Session } from 'node:inspector';

/**
 * Which parts of the packages' code have ever run, by V8's coverage. It does not count calls: V8 then reports only what is new and
 * optimizes the rest, so that inputs are tried nearly as fast as without coverage.
 */
export class Coverage implements Disposable {
  readonly #session = new Session();
  readonly #covered = new Set<string>();
  #fresh: readonly string[] = [];

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true });
  }

  /** Number of parts that ran for the first time since the last call; only `keep` records them. */
  peek(): number {
    const fresh: string[] = [];
    this.#look((part) => {
      if (!this.#covered.has(part)) fresh.push(part);
    });
    this.#fresh = fresh;
    return fresh.length;
  }

  /** Records the last result. */
  keep(): void {
    for (const part of this.#fresh) this.#covered.add(part);
    this.#fresh = [];
  }

  /** Discards coverage since the last call. */
  skip(): void {
    this.#look(() => {});
  }

  get size(): number {
    return this.#covered.size;
  }

  #look(report: (part: string) => void): void {
    this.#session.post('Profiler.takePreciseCoverage', (error, coverage) => {
      if (error) throw error;
      for (const script of coverage.result)
        if (script.url.includes('/packages/')) reportNewParts(script, report);
    });
  }

  [Symbol.dispose](): void {
    this.#session.disconnect();
  }
}

function reportNewParts(
  { scriptId, functions }: Profiler.ScriptCoverage,
  report: (part: string) => void,
): void {
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges)
      if (count > 0) report(`${scriptId}:${startOffset}:${endOffset}`);
}
