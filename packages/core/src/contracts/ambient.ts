import type { Vocabulary } from './vocabulary.ts';

/** Time, passed in so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): number;
  /** Calls back once after that many milliseconds, unless the timer is cleared first. */
  setTimer(milliseconds: number, call: () => void): Timer;
}

/** A pending call. */
export interface Timer {
  clear(): void;
  /** Keeps the process alive until the call, where timers do not do so by themselves. */
  hold?(): void;
}

/** Waits. @throws the signal's reason if the signal is aborted first */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return wait(clock, milliseconds, signal, false);
}

/** As `sleep`, while a caller waits for the result: the process does not end meanwhile. */
export function sleepInRequest(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return wait(clock, milliseconds, signal, true);
}

function wait(
  clock: Clock,
  milliseconds: number,
  signal: AbortSignal | undefined,
  keepsAlive: boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const aborted = (): void => {
      timer.clear();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(milliseconds, () => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    });
    if (keepsAlive) timer.hold?.();
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** Randomness, passed in so that tests can control it. */
export interface Random {
  /** Fills the array with random bytes and returns it. */
  bytes(into: Uint8Array): Uint8Array;
}

/** Clock, timers, randomness and names of the host; nothing below `server` reads the global ones. */
export interface Ambient {
  readonly clock: Clock;
  readonly random: Random;
  /**
   * Randomness of what is not stored: ids of requests, jitter of pauses. With one of its own, uids and generated names do not depend on
   * how often something was read. Default: `random`.
   */
  readonly transientRandom?: Random;
  readonly vocabulary: Vocabulary;
  /** How long work and short requests share the thread. Default: they alternate. */
  readonly turns?: Turns;
}

/** How long work and short requests share one thread. */
export interface Turns {
  /** Registers a caller that waits for a response: long work lets it go first, within bounds. */
  requestBegan(): void;
  /**
   * Resolves in a later turn of the event loop, when long work may continue; waiting callers resume one by
   * one.
   * @param usedMilliseconds milliseconds of the thread that the caller has taken before, outside of any turn. Default 0
   */
  pause(usedMilliseconds?: number): Promise<void>;
  /**
   * Whether work may take its first slice of the current turn of the event loop: not if other work has begun one in it so many milliseconds
   * ago. Otherwise it pauses first. By default it may.
   */
  maySlice?(sliceMilliseconds: number): boolean;
  /** Calls once all that runs in the current turn of the event loop has run, promises included. */
  atEndOfTurn(call: () => void): void;
  /** Calls in the next turn of the event loop, once what has arrived meanwhile has been read. Without it, requests all begin at once. */
  inNextTurn?(call: () => void): void;
  /** Processor time that the process has used, in milliseconds: unlike the clock it stands while others have the processor. */
  processorTime?(): number;
}

/** A random UUID, version 4, lower case (RFC 9562). */
export function randomUuid(random: Random): string {
  const bytes = random.bytes(new Uint8Array(16));
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  // every request gets one: the string is built at once, not concatenated
  const codes = new Array<number>(36);
  let at = 0;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) codes[at++] = HYPHEN;
    const byte = bytes[i] as number;
    codes[at++] = DIGITS.charCodeAt(byte >> 4);
    codes[at++] = DIGITS.charCodeAt(byte & 0x0f);
  }
  return String.fromCharCode.apply(null, codes);
}

const HYPHEN = 45;
const DIGITS = '0123456789abcdef';

/** A time as metadata writes it: RFC 3339, UTC, whole seconds. */
export function timestampText(milliseconds: number): string {
  const second = Math.floor(milliseconds / 1000);
  if (second !== latest.second) {
    latest.text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
    latest.second = second;
  }
  return latest.text;
}

/** The text of one second, which all writes within it need. */
const latest = { second: Number.NaN, text: '' };
