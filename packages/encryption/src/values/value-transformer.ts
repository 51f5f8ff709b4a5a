import type { MaybePromise } from '@ashlar/core';

/** A value as it was read from storage. */
export interface ReadValue {
  readonly plaintext: Uint8Array;
  /** Whether it should be written again: it was not encrypted with the key that writes now. */
  readonly isStale: boolean;
}

/**
 * Turns values into their stored form and back. `authenticated` is data that is not stored with the value and without which it cannot be
 * read: the UTF-8 of its key, so that a value cannot be moved to another key. `resource` is only for metrics.
 */
export interface ValueTransformer {
  /** @throws DecryptionError if the value cannot be read, also from the promise */
  fromStorage(stored: Uint8Array, authenticated: Uint8Array, resource?: string): MaybePromise<ReadValue>;
  /** @throws DecryptionError if it cannot be encrypted now, also from the promise */
  toStorage(plaintext: Uint8Array, authenticated: Uint8Array, resource?: string): MaybePromise<Uint8Array>;
}

/** The error for a value that is too short for its algorithm. */
export const TOO_SHORT = 'the stored data was shorter than the required size';
