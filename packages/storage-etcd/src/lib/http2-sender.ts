import type { Socket } from 'node:net';
import { HpackEncoder } from './hpack-encoder.ts';
import type { HeaderField } from './hpack-static-table.ts';
import {
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  FrameFlag,
  FrameType,
  toHttp2Frame,
  USUAL_WINDOW,
  writeFrameHead,
} from './http2-frames.ts';
import type { Http2Stream } from './http2-stream.ts';

/** Smaller pieces are copied together before they go to the socket. */
const COPY_BYTES = 64 << 10;

/** What goes out on a connection: as much as the other side's windows let through, in one piece for each turn of the event loop. */
export class Http2Sender {
  readonly #socket: Socket;
  readonly #encoder: HpackEncoder = new HpackEncoder();
  /** Streams with bytes that no window has let through yet. */
  readonly #held: Set<Http2Stream> = new Set();
  #out: Uint8Array[] = [];
  #isFlushing: boolean = false;
  #window: number = USUAL_WINDOW;
  #frameBytes: number = FRAME_BYTES;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  write(bytes: Uint8Array): void {
    this.#out.push(bytes);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flush());
  }

  frame(type: number, flags: number, stream: number, payload: Uint8Array): void {
    this.write(toHttp2Frame(type, flags, stream, payload));
  }

  /** Headers, in as many frames as they need. */
  headers(stream: number, fields: readonly HeaderField[]): void {
    const block = this.#encoder.encode(fields);
    for (let at = 0; at === 0 || at < block.length; at += this.#frameBytes) {
      const part = block.subarray(at, at + this.#frameBytes);
      const flags = at + part.length === block.length ? FrameFlag.endHeaders : 0;
      this.frame(at === 0 ? FrameType.headers : FrameType.continuation, flags, stream, part);
    }
  }

  /** As much of what waits on a stream as the windows let through; the rest when they do. */
  data(stream: Http2Stream): void {
    while (stream.isWaiting) {
      const most = Math.min(this.#frameBytes, this.#window, stream.window);
      // an empty message needs no window
      if (most <= 0 && !stream.isEmpty) {
        this.#held.add(stream);
        return;
      }
      const { bytes, isLast } = stream.take(Math.max(0, most));
      this.#window -= bytes.length;
      stream.window -= bytes.length;
      const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES);
      writeFrameHead(head, 0, bytes.length, FrameType.data, isLast ? FrameFlag.endStream : 0, stream.id);
      this.write(head);
      this.write(bytes);
    }
    this.#held.delete(stream);
  }

  /** Lets the other side send so many bytes more: on a stream, or on the whole connection (0). */
  giveBack(stream: number, bytes: number): void {
    const increment = Buffer.alloc(4);
    increment.writeUInt32BE(bytes);
    this.frame(FrameType.windowUpdate, 0, stream, increment);
  }

  /** The other side takes so many bytes more, on all streams together. */
  grow(bytes: number): void {
    this.#window += bytes;
    this.retry();
  }

  /** Windows have changed. */
  retry(): void {
    for (const stream of [...this.#held]) this.data(stream);
  }

  /** Nothing of that stream is to be sent any more. */
  forget(stream: Http2Stream): void {
    this.#held.delete(stream);
  }

  /** How long frames may be. */
  limitFrames(bytes: number): void {
    this.#frameBytes = bytes;
  }

  /** How much the other side's table of headers holds. */
  limitTable(bytes: number): void {
    this.#encoder.limitTable(bytes);
  }

  #flush(): void {
    this.#isFlushing = false;
    const out = this.#out;
    this.#out = [];
    if (this.#socket.destroyed) return;
    const total = out.reduce((sum, { length }) => sum + length, 0);
    if (total <= COPY_BYTES) {
      this.#socket.write(Buffer.concat(out, total));
      return;
    }
    this.#socket.cork();
    for (const bytes of out) this.#socket.write(bytes);
    this.#socket.uncork();
  }
}
