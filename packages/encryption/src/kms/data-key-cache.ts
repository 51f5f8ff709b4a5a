import type { Clock } from '@ashlar/core';
import type { ValueTransformer } from '../values/value-transformer.ts';

/** How long a data key is used after it was decrypted, in milliseconds. */
const LIFETIME_MILLISECONDS = 3_600_000;

/** The decrypted data keys, each for an hour. Concurrent readers of values with one key share one call to the service. */
export class DataKeyCache {
  readonly #clock: Clock;
  readonly #resized: (size: number) => void;
  readonly #keys: Map<string, { readonly transformer: ValueTransformer; readonly until: number }> = new Map();
  readonly #pending: Map<string, Promise<ValueTransformer>> = new Map();

  constructor(clock: Clock, resized: (size: number) => void) {
    this.#clock = clock;
    this.#resized = resized;
  }

  get(id: string): ValueTransformer | undefined {
    const cached = this.#keys.get(id);
    if (!cached) return undefined;
    if (cached.until > this.#clock.monotonic()) return cached.transformer;
    this.#keys.delete(id);
    return undefined;
  }

  /** Remembers a key; keys are in the order of their ends. */
  set(id: string, transformer: ValueTransformer): void {
    const now = this.#clock.monotonic();
    this.#keys.delete(id);
    this.#keys.set(id, { transformer, until: now + LIFETIME_MILLISECONDS });
    for (const [key, { until }] of this.#keys) {
      if (until > now) break;
      this.#keys.delete(key);
    }
    this.#resized(this.#keys.size);
  }

  /** Calls `decrypt` for a key that is not cached, once for all concurrent readers. */
  load(id: string, decrypt: () => Promise<ValueTransformer>): Promise<ValueTransformer> {
    const pending = this.#pending.get(id);
    if (pending) return pending;
    const loading = decrypt()
      .then((transformer) => {
        this.set(id, transformer);
        return transformer;
      })
      .finally(() => this.#pending.delete(id));
    this.#pending.set(id, loading);
    return loading;
  }
}
