import type { Writable } from 'node:stream';
import { type ByteSink, sizeOfPieces } from '@ashlar/core';
import type { Flushable, FlushSchedule } from './flush-schedule.ts';
import type { Framing, SharedFrame } from './shared-frame.ts';

/** Destination of a sink's frames, and how the body ends. */
export interface SinkTarget {
  /** The current socket. */
  readonly writable: Writable;
  readonly framing: Framing;
  /** Ends the body after all frames. */
  end(): void;
  /** Resets it. */
  destroy(): void;
}

/** Approximate size of a frame. */
const FRAME_BYTES = 1024 * 1024;

/**
 * A streaming body. Writes are buffered until the schedule flushes them together; while the socket is full
 * nothing is flushed, and `buffered` tells a writer how far its reader is behind.
 */
export class StreamSink implements ByteSink, Flushable {
  restUntil = 0;
  readonly #target: SinkTarget;
  readonly #schedule: FlushSchedule;
  readonly #highWaterMark: number;
  #pieces: Uint8Array[] = [];
  #pending = 0;
  #scheduled = false;
  #blocked = false;
  #ended = false;
  #finished = false;
  #closed = false;
  #drained: (() => void)[] = [];
  #closeObservers: (() => void)[] = [];
  /** Called before the next flush. */
  #sources: (() => void)[] = [];

  /** @param highWaterMark buffered bytes above which `write` returns false */
  constructor(target: SinkTarget, schedule: FlushSchedule, highWaterMark: number) {
    this.#target = target;
    this.#schedule = schedule;
    this.#highWaterMark = highWaterMark;
  }

  get buffered(): number {
    return this.#pending + this.#target.writable.writableLength;
  }

  write(bytes: Uint8Array): boolean {
    if (this.#ended) return false;
    if (bytes.length === 0) return true;
    this.#pieces.push(bytes);
    this.#pending += bytes.length;
    this.#wake();
    return this.buffered <= this.#highWaterMark;
  }

  onDrain(call: () => void): void {
    this.#drained.push(call);
    this.#wake();
  }

  beforeFlush(call: () => void): void {
    if (this.#ended) return;
    this.#sources.push(call);
    this.#scheduleFlush();
  }

  onClose(call: () => void): void {
    if (this.#closed) call();
    else this.#closeObservers.push(call);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#pending === 0) this.#finish();
    else this.#wake();
  }

  destroy(): void {
    if (this.#closed) return;
    this.#ended = true;
    this.#target.destroy();
    this.closed();
  }

  /** Writes everything to the socket, unless that is full. Called by the schedule. */
  flush(frame: SharedFrame): void {
    this.#callSources();
    this.#scheduled = false;
    // of a slow reader it is at least known how much waits for it
    if (this.#closed || this.#blocked) return;
    while (this.#pending > 0 && !this.#blocked) this.#blocked = !this.#hand(frame);
    if (this.#blocked) this.#target.writable.once('drain', () => this.#unblock());
    else this.#afterFlush();
  }

  /** The body has ended, for any reason. Called by the owner of the response. */
  closed(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#ended = true;
    this.#pieces = [];
    this.#pending = 0;
    this.#drained = [];
    this.#sources = [];
    const observers = this.#closeObservers;
    this.#closeObservers = [];
    for (const call of observers) call();
  }

  #callSources(): void {
    if (this.#sources.length === 0) return;
    const sources = this.#sources;
    this.#sources = [];
    for (const call of sources) call();
  }

  /** Writes one frame. False if the socket is full now. */
  #hand(frame: SharedFrame): boolean {
    const pieces = this.#take();
    const size = sizeOfPieces(pieces);
    this.#pending -= size;
    return this.#target.writable.write(frame.of(pieces, size, this.#target.framing));
  }

  /** Returns the pieces of the next frame: everything, unless that is a long list of events. */
  #take(): readonly Uint8Array[] {
    let count = this.#pieces.length;
    if (this.#pending > FRAME_BYTES) {
      let size = 0;
      for (count = 0; size < FRAME_BYTES; count++) size += (this.#pieces[count] as Uint8Array).length;
    }
    return this.#pieces.splice(0, count);
  }

  #unblock(): void {
    this.#blocked = false;
    // what the socket has delayed need not rest as well
    if (this.#pending > 0) this.restUntil = 0;
    this.#wake();
  }

  #wake(): void {
    if (!this.#blocked) this.#scheduleFlush();
  }

  #scheduleFlush(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    this.#schedule.add(this);
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#target.end();
  }

  #afterFlush(): void {
    const drained = this.#drained;
    this.#drained = [];
    if (this.#ended) this.#finish();
    else for (const call of drained) call();
  }
}
