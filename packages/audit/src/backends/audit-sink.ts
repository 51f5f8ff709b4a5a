import type { MaybePromise } from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';

/** Where events are stored: a log, a webhook, or something of the host. */
export interface AuditSink {
  /** Its name in metrics and messages: `log`, `webhook`. */
  readonly name: string;
  /**
   * Stores events, in this order.
   * @throws Error if they cannot be stored, also from the promise
   */
  send(events: readonly EncodedEvent[]): MaybePromise<void>;
  /** Ends all sends that are under way: they count as failed. Absent if that is not possible. */
  giveUp?(reason: Error): void;
}
