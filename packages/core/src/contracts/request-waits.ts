/** For whom else than the server itself a request waits. */
export type WaitReason = 'queue' | 'mutating-webhook' | 'validating-webhook';

/** Adds up how long a request waits for others. */
export interface RequestWaits {
  addWait(reason: WaitReason, milliseconds: number): void;
}
