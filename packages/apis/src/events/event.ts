import type { ApiObject } from '@ashlar/core';
import type { ObjectReference } from '../core/object-reference.ts';

/**
 * An event about an object, in the form of the core group, which is the stored one
 * (semantics/lifecycle#events-and-leases).
 */
export interface Event extends ApiObject {
  readonly involvedObject?: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly source?: EventSource;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly count?: number;
  readonly type?: string;
  readonly eventTime?: string | null;
  readonly series?: EventSeries;
  readonly action?: string;
  readonly related?: ObjectReference;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
}

/** The reporter of an event, before `reportingComponent`. */
export interface EventSource {
  readonly component?: string;
  readonly host?: string;
}

/** How often an event was seen. */
export interface EventSeries {
  readonly count?: number;
  readonly lastObservedTime?: string | null;
}
