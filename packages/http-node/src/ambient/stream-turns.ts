/** How many requests of one session, and of all, begin at once in one turn of the event loop. */
const AT_ONCE = { session: 16, all: 128 };
/** Milliseconds of a turn in which requests begin that have waited. */
const SLICE_MILLISECONDS = 5;

/** Begins the work for a request, or continues it. */
type Begin = () => unknown;

/** Resolves when all promises have been followed that can be without another event. */
const promisesSettled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * The turns of HTTP/2 sessions. One read of a socket may hold hundreds of requests, and a crowd of sessions thousands: those beyond the
 * first few wait, and begin in later turns of the event loop, one of each session at a time. So a request of another connection waits no
 * longer than a slice, however many a crowd has sent before it.
 */
export class StreamTurns {
  /** The requests that wait, by session; the session that is next comes first. */
  readonly #waiting: Map<object, Begin[]> = new Map();
  /** How many requests of each session have begun in this turn. */
  readonly #startedBySession: Map<object, number> = new Map();
  #startedCount = 0;
  #isRunning = false;

  /** Begins a request, or continues one whose body has arrived, at once or in a later turn. */
  begin(session: object, begin: Begin): void {
    const queue = this.#waiting.get(session);
    if (queue) queue.push(begin);
    else if (this.#mayBegin(session)) begin();
    else this.#wait(session, begin);
  }

  #mayBegin(session: object): boolean {
    if (this.#startedCount === 0) setImmediate(() => this.#endTurn());
    const started = this.#startedBySession.get(session) ?? 0;
    if (started >= AT_ONCE.session || this.#startedCount >= AT_ONCE.all) return false;
    this.#startedBySession.set(session, started + 1);
    this.#startedCount++;
    return true;
  }

  #endTurn(): void {
    this.#startedBySession.clear();
    this.#startedCount = 0;
  }

  #wait(session: object, begin: Begin): void {
    if (!this.#isRunning) setImmediate(() => void this.#run());
    this.#isRunning = true;
    this.#waiting.set(session, [begin]);
  }

  async #run(): Promise<void> {
    const end = performance.now() + SLICE_MILLISECONDS;
    for (const [session, queue] of this.#waiting) {
      // what waits longer than a slice goes behind the others
      this.#waiting.delete(session);
      const begin = queue.shift();
      if (queue.length > 0) this.#waiting.set(session, queue);
      begin?.();
      // most responses are complete when their promises are
      await promisesSettled();
      if (performance.now() >= end) break;
    }
    this.#isRunning = this.#waiting.size > 0;
    if (this.#isRunning) setImmediate(() => void this.#run());
  }
}
