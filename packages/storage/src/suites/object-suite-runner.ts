import type { ApiObject } from '@ashlar/core';
import type { ManualClock } from '@ashlar/core/testing';
import type { MaybePromise } from '../contracts/maybe-promise.ts';
import type { ChangeFunction, ObjectEvent, ObjectStore } from '../contracts/object-store.ts';
import type { ObjectCodec, ObjectRecord } from '../objects/object-record.ts';
import type { SuiteRunner } from './suite-runner.ts';

/** What an object store is made with. */
export interface ObjectStoreContext {
  readonly clock: ManualClock;
  readonly codec: ObjectCodec;
  /** Unique to each test. */
  readonly id: string;
}

/** An empty store, and what the suite needs beside it. */
export interface ObjectStoreSubject {
  readonly store: ObjectStore;
  /** Compacts the engine below; what follows from it is not tested without it. */
  readonly compact?: (revision: number) => MaybePromise<void>;
  /** Lets go of everything behind the test. */
  readonly dispose?: () => MaybePromise<void>;
}

/** Makes a store over an engine that is empty. */
export type CreateObjectStore = (context: ObjectStoreContext) => MaybePromise<ObjectStoreSubject>;

/** How the suite of object stores is run. */
export interface ObjectSuiteOptions extends SuiteRunner {
  /** False over an engine that keeps no entries in memory but makes them anew with every read: records are not shared then. */
  readonly sharesEntries?: boolean;
}

/** What a group of tests is handed. */
export interface ObjectSuite {
  readonly options: ObjectSuiteOptions;
  check(
    name: string,
    run: (store: ObjectStore, subject: ObjectStoreSubject, clock: ManualClock) => Promise<void>,
  ): void;
}

/** JSON, with keys as they are. */
export const jsonCodec: ObjectCodec = {
  encode: (object) => new TextEncoder().encode(JSON.stringify(object)),
  decode: (bytes) => JSON.parse(new TextDecoder().decode(bytes)) as ApiObject,
};

/** An object to store: its `data` is one text. */
export const thing = (name: string, data: string): ApiObject => ({
  kind: 'Thing',
  apiVersion: 'v1',
  metadata: { name, uid: `uid-of-${name}` },
  data,
});

/** A change that writes that text, whatever is there. */
export const writing =
  (name: string, data: string): ChangeFunction =>
  () => ({ action: 'write', object: thing(name, data) });

/** A change that removes what is there. */
export const removing: ChangeFunction = () => ({ action: 'remove' });

/** A record as one line: `key=data@revision`. */
export const viewRecord = (record: ObjectRecord | undefined): string | undefined =>
  record && `${record.key}=${record.object.data}@${record.object.metadata.resourceVersion}`;

/** An event as one line. */
export const viewObjectEvent = ({ type, record, previous }: ObjectEvent): string =>
  `${type} ${viewRecord(record)}${previous ? ` before: ${viewRecord(previous)}` : ''}`;
