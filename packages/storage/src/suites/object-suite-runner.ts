import type { ApiObject, MaybePromise } from '@ashlar/core';
import type { SteppedClock } from '@ashlar/core/testing';
import type { ChangeFunction, ObjectEvent, ObjectStore } from '../contracts/object-store.ts';
import type { ObjectCodec, ObjectRecord } from '../objects/object-record.ts';
import type { SuiteRunner } from './suite-runner.ts';

/** Dependencies of an object store. */
export interface ObjectStoreContext {
  readonly clock: SteppedClock;
  readonly codec: ObjectCodec;
  /** Unique to each test. */
  readonly id: string;
}

/** An empty store, and what the suite needs besides it. */
export interface ObjectStoreSubject {
  readonly store: ObjectStore;
  /** Compacts the underlying engine; without it compaction is not tested. */
  readonly compact?: (revision: number) => MaybePromise<void>;
  /** Releases everything after the test. */
  readonly dispose?: () => MaybePromise<void>;
}

/** Creates a store over an empty engine. */
export type CreateObjectStore = (context: ObjectStoreContext) => MaybePromise<ObjectStoreSubject>;

/** Options of the suite of object stores. */
export interface ObjectSuiteOptions extends SuiteRunner {
  /**
   * False over an engine that does not cache entries but creates them again with every read: records are not
   * shared then.
   */
  readonly sharesEntries?: boolean;
}

/** Helpers of a group of tests. */
export interface ObjectSuite {
  readonly options: ObjectSuiteOptions;
  check(
    name: string,
    run: (store: ObjectStore, subject: ObjectStoreSubject, clock: SteppedClock) => Promise<void>,
  ): void;
}

/** JSON, with keys in their order. */
export const jsonCodec: ObjectCodec = {
  encode: (object) => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};

/** An object to store: its `data` is one string. */
export const testObject = (name: string, data: string): ApiObject => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name, uid: `uid-of-${name}` },
  data,
});

/** A change that writes that text unconditionally. */
export const writing =
  (name: string, data: string): ChangeFunction =>
  () => ({ action: 'write', object: testObject(name, data) });

/** A change that removes the object. */
export const removing: ChangeFunction = () => ({ action: 'remove' });

/** A record as one line: `key=data@revision`. */
export const viewRecord = (record: ObjectRecord | undefined): string | undefined =>
  record && `${record.key}=${record.object.data}@${record.object.metadata.resourceVersion}`;

/** An event as one line. */
export const viewObjectEvent = ({ type, record, previous }: ObjectEvent): string =>
  `${type} ${viewRecord(record)}${previous ? ` before: ${viewRecord(previous)}` : ''}`;
