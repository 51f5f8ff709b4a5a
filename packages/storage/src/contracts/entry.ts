/** One stored value. Immutable, but for `memo`. */
export interface Entry {
  readonly key: string;
  readonly value: Uint8Array;
  /** Revision of the write that made this value. */
  readonly revision: number;
  /** Room for what the layer above derives from this value; engines hand up the same entry while the value stands, and may empty this once it is superseded. */
  memo?: unknown;
}
