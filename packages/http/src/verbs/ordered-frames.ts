import type { ResultObject } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { WatchFrames } from './watch-frames.ts';

/** Maximum bytes of stored objects whose events wait for one that is being encoded, before the watch is closed. */
const MAXIMUM_WAITING_BYTES = 16_777_216;

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

/** Sends the frames of a watch in order: at once, but while the one of a large object is encoded with pauses, what follows waits for it. */
export class OrderedFrames {
  readonly #frames: WatchFrames;
  readonly #output: FrameOutput;
  readonly #waiting: (() => void | Promise<void>)[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;

  constructor(frames: WatchFrames, output: FrameOutput) {
    this.#frames = frames;
    this.#output = output;
  }

  event(type: EventType, result: ResultObject): void {
    const { large } = this.#frames;
    if (large?.is(result)) this.#later(() => this.#sendLarge(type, result), result);
    else if (this.#running) this.#later(() => this.#output.send(this.#frames.event(type, result)), result);
    else this.#output.send(this.#frames.event(type, result));
  }

  bookmark(resourceVersion: string, initialEventsEnd: boolean): void {
    const send = (): void => this.#output.send(this.#frames.bookmark(resourceVersion, initialEventsEnd));
    if (this.#running) this.#later(send);
    else send();
  }

  error(error: unknown): void {
    if (this.#running) this.#later(() => this.#output.fail(error));
    else this.#output.fail(error);
  }

  /** Resolves when nothing waits; undefined if nothing does now. */
  whenSent(): Promise<void> | undefined {
    return this.#running;
  }

  #later(send: () => void | Promise<void>, result?: ResultObject): void {
    const bytes = ObjectRecord.is(result) ? result.stored.length : 0;
    if (this.#waiting.length > 0 && this.#waitingBytes + bytes > MAXIMUM_WAITING_BYTES) {
      this.#output.overflow();
      return;
    }
    this.#waitingBytes += bytes;
    this.#waiting.push(() => {
      this.#waitingBytes -= bytes;
      return send();
    });
    this.#running ??= this.#run();
  }

  /** Sends what waits, as long as the watch is open. */
  async #run(): Promise<void> {
    try {
      for (let send = this.#waiting.shift(); send && this.#output.isOpen(); send = this.#waiting.shift())
        await send();
    } catch (error) {
      this.#output.fail(error);
    }
    this.#waiting.length = 0;
    this.#running = undefined;
  }

  async #sendLarge(type: EventType, record: ObjectRecord): Promise<void> {
    const bytes = await this.#frames.large?.event(type, record, this.#output.isOpen);
    if (bytes) this.#output.send(bytes);
  }
}
