import { toHex } from './hex.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Time, passed in so that tests decide it. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  now(): number;
  /** Milliseconds since some fixed moment; never goes back. */
  monotonic(): number;
  /** Calls once after that many milliseconds, unless the timer is cleared before. */
  setTimer(milliseconds: number, call: () => void): Timer;
}

/** A pending call. */
export interface Timer {
  clear(): void;
}

/** Waits; ends early, with the signal's reason thrown, when the signal is aborted. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
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
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** Randomness, passed in so that tests decide it. */
export interface Random {
  /** Fills the array with random bytes and gives it back. */
  bytes(into: Uint8Array): Uint8Array;
}

/** What a room may take from its surroundings; nothing below `server` reads the global ones. */
export interface Ambient {
  readonly clock: Clock;
  readonly random: Random;
  readonly vocabulary: Vocabulary;
}

/** A random UUID, version 4, lower case (RFC 9562). */
export function randomUuid(random: Random): string {
  const b = random.bytes(new Uint8Array(16));
  b[6] = ((b[6] as number) & 0x0f) | 0x40;
  b[8] = ((b[8] as number) & 0x3f) | 0x80;
  const hex = toHex(b);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** A moment as metadata writes it: RFC 3339, UTC, whole seconds. */
export function timestampText(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}
