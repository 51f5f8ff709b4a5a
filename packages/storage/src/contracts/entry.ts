import type { ValueTransformError } from './value-transform-error.ts';

/** One stored value. Immutable, but for `memo`. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write of this value. */
  readonly revision: number;
  /** Why the value cannot be read, from stores that transform values; `value` is empty then. */
  readonly fault?: ValueTransformError;
  /** Whether the value should be written again even if it does not change: it was encrypted with an older key. */
  readonly isStale?: boolean;
  /** A cache for the layer above; engines return the same entry while the value is current, and may clear this once it is superseded. */
  memo?: unknown;
}

/** Entries of a range. Engines return the same object while nothing in it has changed. */
export interface SharedEntries {
  readonly entries: readonly Entry[];
  /** A cache for the layer above. */
  memo?: unknown;
}
