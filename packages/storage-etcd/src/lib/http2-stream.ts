import type { StatusHeaders } from './grpc-error.ts';

/** Who hears of a stream. */
export interface StreamObserver {
  /** Headers, or behind the data trailers. */
  headers(fields: StatusHeaders): void;
  data(bytes: Buffer): void;
  /** Everything has come. */
  end(): void;
  /** It has ended before, and nothing comes any more. */
  lost(failure: StreamFailure): void;
}

/** How a stream has ended that did not come to its end. */
export interface StreamFailure {
  /** The other side has certainly not looked at the request. */
  readonly unprocessed: boolean;
  /** What the socket says. */
  readonly cause?: Error | undefined;
}

/** What a stream asks of its connection. */
export interface StreamOwner {
  /** Something is there to be sent. */
  send(stream: Http2Stream): void;
  reset(stream: Http2Stream): void;
}

/** One stream of a connection: what waits to be sent, and how much the other side lets be sent. */
export class Http2Stream {
  readonly id: number;
  readonly observer: StreamObserver;
  /** Called once when it has ended in whichever way, also when it was cancelled. */
  readonly closed: () => void;
  /** Bytes that the other side takes. */
  window: number = 0;
  /** Bytes that have come and were not given back to the other side's window yet. */
  taken: number = 0;
  readonly #owner: StreamOwner;
  #waiting: Uint8Array[] = [];
  #isLast: boolean = false;
  #isSent: boolean = false;

  constructor(id: number, observer: StreamObserver, closed: () => void, owner: StreamOwner) {
    this.id = id;
    this.closed = closed;
    this.observer = observer;
    this.#owner = owner;
  }

  /** Whether there is something to be sent. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Everything has been sent. */
  get isSent(): boolean {
    return this.#isSent;
  }

  write(bytes: Uint8Array): void {
    this.#waiting.push(bytes);
    this.#owner.send(this);
  }

  /** Sends the last bytes. */
  end(bytes: Uint8Array): void {
    this.#isLast = true;
    this.write(bytes);
  }

  /** Tells the other side that nobody listens any more. */
  cancel(): void {
    this.#owner.reset(this);
  }

  /** The next bytes, at most so many, and whether they are the last. */
  take(most: number): { readonly bytes: Uint8Array; readonly isLast: boolean } {
    const first = this.#waiting[0] as Uint8Array;
    const bytes = first.length <= most ? first : first.subarray(0, most);
    if (bytes === first) this.#waiting.shift();
    else this.#waiting[0] = first.subarray(most);
    this.#isSent = this.#isLast && this.#waiting.length === 0;
    return { bytes, isLast: this.#isSent };
  }
}
