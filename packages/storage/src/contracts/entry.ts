/** One stored value. Immutable, but for `memo`. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write of this value. */
  readonly revision: number;
  /** A cache for the layer above; engines return the same entry while the value is current, and may clear this once it is superseded. */
  memo?: unknown;
}
