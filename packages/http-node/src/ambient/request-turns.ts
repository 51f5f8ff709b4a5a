import { RotatingQueues } from '@ashlar/core';

/** How many requests of one connection, and of all, begin at once in one turn of the event loop. */
const AT_ONCE = { connection: 16, all: 128 };
/** Milliseconds of a turn in which requests begin at once, and in which those begin that have waited. */
const SLICE_MILLISECONDS = 5;

/** Begins the work for a request, or continues it. */
type Begin = () => unknown;

/** Resolves when all promises have been followed that can be without another event. */
const promisesSettled = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/**
 * The turns of requests that arrive together: streams of HTTP/2, and pipelined requests of HTTP/1.1. One read of a socket may hold
 * hundreds, and a crowd of connections sends thousands: those beyond the first few wait, and begin in later turns of the event loop, one of
 * each connection at a time. So a request of another connection waits no longer than a slice, however many a crowd has sent before it.
 */
export class RequestTurns {
  /** The requests that wait, by connection. */
  readonly #waiting = new RotatingQueues<object, Begin>();
  /** How many requests of each connection have begun in this turn. */
  readonly #startedByConnection: Map<object, number> = new Map();
  #startedCount = 0;
  #turnBegan = 0;
  #isRunning = false;
  readonly #now: () => number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Begins a request, or continues one whose body has arrived, at once or in a later turn. */
  begin(connection: object, begin: Begin): void {
    if (this.#waiting.has(connection)) this.#waiting.push(connection, begin);
    else if (this.#mayBegin(connection)) begin();
    else this.#wait(connection, begin);
  }

  #mayBegin(connection: object): boolean {
    if (this.#startedCount === 0) this.#beginTurn();
    else if (this.#now() - this.#turnBegan >= SLICE_MILLISECONDS) return false;
    const started = this.#startedByConnection.get(connection) ?? 0;
    if (started >= AT_ONCE.connection || this.#startedCount >= AT_ONCE.all) return false;
    this.#startedByConnection.set(connection, started + 1);
    this.#startedCount++;
    return true;
  }

  #beginTurn(): void {
    this.#turnBegan = this.#now();
    setImmediate(() => this.#endTurn());
  }

  #endTurn(): void {
    this.#startedByConnection.clear();
    this.#startedCount = 0;
  }

  #wait(connection: object, begin: Begin): void {
    if (!this.#isRunning) setImmediate(() => void this.#run());
    this.#isRunning = true;
    this.#waiting.push(connection, begin);
  }

  async #run(): Promise<void> {
    const end = this.#now() + SLICE_MILLISECONDS;
    for (let begin = this.#waiting.take(); begin; begin = this.#waiting.take()) {
      begin();
      // most responses are complete when their promises are
      await promisesSettled();
      if (this.#now() >= end) break;
    }
    this.#isRunning = !this.#waiting.isEmpty;
    if (this.#isRunning) setImmediate(() => void this.#run());
  }
}
