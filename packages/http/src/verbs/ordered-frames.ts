import { type Ambient, pause } from '@ashlar/core';
import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { WatchFrames } from './watch-frames.ts';

/**
 * Maximum bytes of stored objects whose events wait for one that is being encoded, before the watch is closed: those that a store
 * keeps of its history, which a watch that resumes gets at once.
 */
const MAXIMUM_WAITING_BYTES = 67_108_864;
/** Bytes of stored objects whose events are sent between two pauses. */
const STRIDE = 262_144;

/** Where frames go. */
export interface FrameOutput {
  /** Writes a frame; undefined ends the watch. */
  send(bytes: Uint8Array | undefined): void;
  fail(error: unknown): void;
  /** Too much waits to be sent. */
  overflow(): void;
  isOpen(): boolean;
}

type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

interface Waiting {
  /** Of the stored object. */
  readonly bytes: number;
  send(): void | Promise<void>;
}

/** Sends the frames of a watch in order: at once, but while the one of a large object is encoded with pauses, what follows waits for it. */
export class OrderedFrames {
  readonly #frames: WatchFrames;
  readonly #output: FrameOutput;
  readonly #ambient: Pick<Ambient, 'turns'>;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  constructor(frames: WatchFrames, output: FrameOutput, ambient: Pick<Ambient, 'turns'>) {
    this.#frames = frames;
    this.#output = output;
    this.#ambient = ambient;
  }

  event(type: EventType, result: ResultObject): void {
    if (this.#running || this.#frames.large?.is(result)) {
      const bytes = ObjectRecord.is(result) ? result.stored.length : 0;
      this.#later({ bytes, send: () => this.#send(type, result) });
    } else this.#output.send(this.#frames.event(type, result));
  }

  bookmark(resourceVersion: string, initialEventsEnd: boolean): void {
    const send = (): void => this.#output.send(this.#frames.bookmark(resourceVersion, initialEventsEnd));
    if (this.#running) this.#later({ bytes: 0, send });
    else send();
  }

  error(error: unknown): void {
    if (this.#running) this.#later({ bytes: 0, send: () => this.#output.fail(error) });
    else this.#output.fail(error);
  }

  /** Resolves when nothing waits; undefined if nothing does now. */
  whenSent(): Promise<void> | undefined {
    return this.#running;
  }

  #later(waiting: Waiting): void {
    if (!this.#output.isOpen()) return;
    if (this.#running && this.#waitingBytes + waiting.bytes > MAXIMUM_WAITING_BYTES) {
      this.#output.overflow();
      return;
    }
    this.#waitingBytes += waiting.bytes;
    this.#waiting.push(waiting);
    this.#running ??= this.#run();
  }

  /** Sends what waits, as long as the watch is open. */
  async #run(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#sendAll(this.#waiting.splice(0));
    } catch (error) {
      this.#output.fail(error);
    }
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#running = undefined;
  }

  async #sendAll(waiting: readonly Waiting[]): Promise<void> {
    let sent = 0;
    for (const { bytes, send } of waiting) {
      if (!this.#output.isOpen()) return;
      await send();
      this.#waitingBytes -= bytes;
      sent += bytes;
      if (sent < STRIDE) continue;
      sent = 0;
      await pause(this.#ambient);
    }
  }

  #send(type: EventType, result: ResultObject): void | Promise<void> {
    if (this.#frames.large?.is(result)) return this.#sendLarge(type, result);
    this.#output.send(this.#frames.event(type, result));
  }

  async #sendLarge(type: EventType, record: ObjectRecord): Promise<void> {
    const bytes = await this.#frames.large?.event(type, record, this.#output.isOpen);
    if (this.#output.isOpen()) this.#output.send(bytes);
  }
}
