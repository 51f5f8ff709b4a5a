import type { Clock, Timer } from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';
import { RateLimit, type RateLimitOptions } from './rate-limit.ts';

/** How events wait to be stored in lists. */
export interface BatchOptions {
  /** Events that may wait; further ones are lost. Default 10,000 */
  readonly bufferSize?: number;
  /** Bytes of events that may wait or be under way; further events are lost. Default 64 MiB */
  readonly bufferBytes?: number;
  /** Events of one list. Default 400 */
  readonly maximumSize?: number;
  /** How long an event waits for others, in milliseconds. Default 30,000 */
  readonly maximumWaitMilliseconds?: number;
  /** How often lists are sent. Default: 10 per second, 15 at once; `none`: as they come */
  readonly throttle?: RateLimitOptions | 'none';
}

/** What a queue does with its events. */
export interface BatchTarget {
  /** Stores a list; never rejects. */
  send(events: readonly EncodedEvent[]): Promise<void>;
  /** Bytes of one list at most. */
  readonly maximumBytes: number;
}

/** Lists that are under way at once: a receiver that does not answer holds no more than these. */
const MAXIMUM_UNDER_WAY = 16;

/** Bytes of events that one backend holds. */
export const DEFAULT_BUFFER_BYTES: number = 64 * 1024 * 1024;

/** Collects events and sends them in lists, several at once: lists may overtake each other (semantics/requests#audit). */
export class BatchQueue {
  readonly #clock: Clock;
  readonly #target: BatchTarget;
  readonly #limits: Required<Omit<BatchOptions, 'throttle'>>;
  readonly #throttle: RateLimit | undefined;
  readonly #underWay: Set<Promise<void>> = new Set();
  #waiting: EncodedEvent[] = [];
  /** Events of `#waiting` that are sent already. */
  #taken = 0;
  #bytes = 0;
  #timer: Timer | undefined;
  /** Whether events are sent without waiting for others. */
  #isDue = false;

  constructor(options: BatchOptions, clock: Clock, target: BatchTarget) {
    const { throttle = { perSecond: 10, burst: 15 }, ...limits } = options;
    this.#clock = clock;
    this.#target = target;
    this.#limits = {
      ...{
        bufferSize: 10_000,
        bufferBytes: DEFAULT_BUFFER_BYTES,
        maximumSize: 400,
        maximumWaitMilliseconds: 30_000,
      },
      ...limits,
    };
    this.#throttle = throttle === 'none' ? undefined : new RateLimit(throttle, clock);
  }

  /** @returns whether there was room for it */
  add(event: EncodedEvent): boolean {
    const { bufferSize, bufferBytes, maximumSize } = this.#limits;
    if (this.#count >= bufferSize || this.#bytes + event.size > bufferBytes) return false;
    this.#waiting.push(event);
    this.#bytes += event.size;
    if (this.#count >= maximumSize) this.#sendDue();
    else this.#timer ??= this.#clock.setTimer(this.#limits.maximumWaitMilliseconds, this.#onTimer);
    return true;
  }

  /** Sends everything, without waiting for more. Fulfilled when all is stored or lost. */
  async flush(): Promise<void> {
    while (this.#count > 0 || this.#underWay.size > 0) {
      this.#isDue = true;
      this.#sendDue(false);
      await Promise.race(this.#underWay);
    }
  }

  readonly #onTimer = (): void => {
    this.#timer = undefined;
    this.#isDue = true;
    this.#sendDue();
  };

  /** Sends full lists, and the rest if it has waited long enough. */
  #sendDue(isThrottled = true): void {
    while (this.#hasDue() && this.#underWay.size < MAXIMUM_UNDER_WAY) {
      const pause = (isThrottled && this.#throttle?.take()) || 0;
      if (pause > 0) {
        this.#wakeIn(pause);
        return;
      }
      this.#sendList();
    }
  }

  #hasDue(): boolean {
    if (this.#count === 0) this.#isDue = false;
    return this.#isDue || this.#count >= this.#limits.maximumSize;
  }

  #wakeIn(milliseconds: number): void {
    this.#timer?.clear();
    this.#timer = this.#clock.setTimer(milliseconds, this.#onTimer);
  }

  #sendList(): void {
    const { list, bytes } = this.#takeList();
    const sending = this.#target.send(list).then(() => {
      this.#bytes -= bytes;
      this.#underWay.delete(sending);
      this.#sendDue();
    });
    this.#underWay.add(sending);
  }

  get #count(): number {
    return this.#waiting.length - this.#taken;
  }

  /** Takes events up to the limits of a list, and one in any case. */
  #takeList(): { readonly list: readonly EncodedEvent[]; readonly bytes: number } {
    const list: EncodedEvent[] = [];
    let bytes = 0;
    for (let event = this.#next(); event && list.length < this.#limits.maximumSize; event = this.#next()) {
      if (list.length > 0 && bytes + event.size > this.#target.maximumBytes) break;
      bytes += event.size;
      list.push(event);
      this.#taken++;
    }
    this.#forgetTaken();
    return { list, bytes };
  }

  #next(): EncodedEvent | undefined {
    return this.#waiting[this.#taken];
  }

  /** Not after each list: moving what waits takes as long as there is of it. */
  #forgetTaken(): void {
    if (this.#taken * 2 < this.#waiting.length) return;
    this.#waiting = this.#waiting.slice(this.#taken);
    this.#taken = 0;
  }
}
