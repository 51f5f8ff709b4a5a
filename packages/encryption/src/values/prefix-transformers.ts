import { type Clock, concatenateBytes, joinedMessages, type MaybePromise } from '@ashlar/core';
import { DecryptionError } from './decryption-error.ts';
import { hasPrefix } from './identity.ts';
import type { ObserveTransformation } from './transformation-metrics.ts';
import type { ReadValue, ValueTransformer } from './value-transformer.ts';

/** A transformer and the bytes in front of the values that it wrote. */
export interface PrefixedTransformer {
  /** Empty for values that are stored as they are. */
  readonly prefix: Uint8Array;
  readonly transformer: ValueTransformer;
}

/** A value to read. */
interface StoredValue {
  readonly stored: Uint8Array;
  readonly authenticated: Uint8Array;
  readonly resource: string;
}

/** Measures transformations. */
export interface TransformationObserver {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly observe: ObserveTransformation;
}

/**
 * Several transformers by prefix: the first one writes, all read. Several may have the same prefix (two sets of keys of one algorithm):
 * a value is read by the first one that can. What any but the first one read is stale.
 * @param unmatched message of the error if none has the prefix of a value
 */
export function createPrefixTransformers(
  transformers: readonly PrefixedTransformer[],
  unmatched: string,
  observer?: TransformationObserver,
): ValueTransformer {
  return new PrefixTransformers(transformers, unmatched, observer);
}

const decoder = new TextDecoder();

class PrefixTransformers implements ValueTransformer {
  readonly #transformers: readonly PrefixedTransformer[];
  readonly #unmatched: string;
  readonly #observer: TransformationObserver | undefined;

  constructor(
    transformers: readonly PrefixedTransformer[],
    unmatched: string,
    observer: TransformationObserver | undefined,
  ) {
    this.#transformers = transformers;
    this.#unmatched = unmatched;
    this.#observer = observer;
  }

  fromStorage(stored: Uint8Array, authenticated: Uint8Array, resource = ''): MaybePromise<ReadValue> {
    return this.#readFrom(0, { stored, authenticated, resource }, []);
  }

  toStorage(plaintext: Uint8Array, authenticated: Uint8Array, resource = ''): MaybePromise<Uint8Array> {
    const { prefix, transformer } = this.#transformers[0] as PrefixedTransformer;
    const report = this.#started('to_storage', resource, decoder.decode(prefix));
    const done = (value: Uint8Array): Uint8Array => {
      report();
      return prefix.length === 0 ? value : concatenateBytes([prefix, value]);
    };
    const failed = (error: unknown): never => {
      report(error);
      throw error;
    };
    return settle(() => transformer.toStorage(plaintext, authenticated, resource), done, failed);
  }

  /** Tries the transformers from an index on. */
  #readFrom(start: number, value: StoredValue, errors: readonly Error[]): MaybePromise<ReadValue> {
    const { stored, authenticated, resource } = value;
    const index = this.#transformers.findIndex(({ prefix }, at) => at >= start && hasPrefix(stored, prefix));
    if (index < 0) throw this.#failure(resource, errors);
    const { prefix, transformer } = this.#transformers[index] as PrefixedTransformer;
    const report = this.#started(
      'from_storage',
      resource,
      prefix.length === 0 ? 'identity' : decoder.decode(prefix),
    );
    const next = (error: unknown): MaybePromise<ReadValue> => {
      // what the identity refuses may be readable for a later provider: that is no error of its own
      if (prefix.length === 0) return this.#readFrom(index + 1, value, errors);
      report(error);
      return this.#readFrom(index + 1, value, [...errors, error as Error]);
    };
    const done = ({ plaintext, isStale }: ReadValue): ReadValue => {
      report();
      return { plaintext, isStale: isStale || index > 0 };
    };
    return settle(
      () => transformer.fromStorage(stored.subarray(prefix.length), authenticated, resource),
      done,
      next,
    );
  }

  /** Returns what to call when the transformation has ended. */
  #started(kind: 'from_storage' | 'to_storage', resource: string, prefix: string): (error?: unknown) => void {
    const observer = this.#observer;
    if (!observer) return () => {};
    const start = observer.clock.monotonic();
    return (error) => {
      const seconds = (observer.clock.monotonic() - start) / 1000;
      observer.observe({ kind, resource, prefix, seconds, error });
    };
  }

  #failure(resource: string, errors: readonly Error[]): DecryptionError {
    const [first] = errors;
    if (first) return new DecryptionError(joinedMessages(errors), { cause: first.cause });
    const error = new DecryptionError(this.#unmatched);
    this.#started('from_storage', resource, 'unknown')(error);
    return error;
  }
}

/** Continues after a call that may throw, or return a promise that rejects. */
function settle<T, R>(
  call: () => MaybePromise<T>,
  done: (value: T) => R,
  failed: (error: unknown) => MaybePromise<R>,
): MaybePromise<R> {
  let value: MaybePromise<T>;
  try {
    value = call();
  } catch (error) {
    return failed(error);
  }
  return value instanceof Promise ? value.then(done, failed) : done(value);
}
