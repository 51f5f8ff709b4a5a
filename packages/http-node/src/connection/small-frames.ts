import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

/** How many small frames a session may send at once, and per millisecond: each costs Node as much as many bytes. */
const ALLOWED = { atOnce: 2_000, perMillisecond: 1 };
/** A frame of this size is not small. */
const USUAL_BYTES = 64;
/** Frames that each body may consist of, whatever their size. */
const PER_BODY = 4;

/**
 * Counts what a session of HTTP/2 sends in small DATA frames. One read may hold thousands, which Node passes on one by one, whether the
 * body is read or not: a session that sends too many is ended.
 */
export class SmallFrames {
  readonly #session: ServerHttp2Session;
  readonly #now: () => number;
  #allowed = ALLOWED.atOnce;
  #since: number;

  /** @param now a monotonic clock, in milliseconds */
  constructor(session: ServerHttp2Session, now: () => number = () => performance.now()) {
    this.#session = session;
    this.#now = now;
    this.#since = now();
  }

  /** Counts the frames of a body. */
  count(stream: ServerHttp2Stream): void {
    this.#allow(PER_BODY);
    const { push } = stream;
    stream.push = (frame: Uint8Array | null, ...rest): boolean => {
      if (frame === null || this.#mayAdd(frame.length)) return push.call(stream, frame, ...rest);
      this.#session.destroy(new Error('too many small frames'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return false;
    };
  }

  #mayAdd(bytes: number): boolean {
    this.#allow(bytes / USUAL_BYTES - 1);
    if (this.#allowed < 0) this.#allowForTime();
    return this.#allowed >= 0;
  }

  #allowForTime(): void {
    const now = this.#now();
    this.#allow((now - this.#since) * ALLOWED.perMillisecond);
    this.#since = now;
  }

  #allow(more: number): void {
    this.#allowed = Math.min(this.#allowed + more, ALLOWED.atOnce);
  }
}
