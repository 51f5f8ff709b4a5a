/** How far a server has come between its start and its end. */
export class ServerLifetime {
  readonly #stopping = new AbortController();
  readonly #closing = new AbortController();
  #isComplete: boolean;

  /** @param isComplete whether the server is a fork of one that has started */
  constructor(isComplete: boolean) {
    this.#isComplete = isComplete;
  }

  /** Whether the objects that every server has exist, and every stored definition is served. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  complete(): void {
    this.#isComplete = true;
  }

  /** Aborted when the shutdown is announced. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** Aborted when the server closes. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  stop(): void {
    this.#stopping.abort(new Error('process is shutting down'));
  }

  close(): void {
    this.stop();
    this.#closing.abort(new Error('the server has been closed'));
  }
}
