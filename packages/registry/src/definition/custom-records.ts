import {
  type Ambient,
  type ApiObject,
  andThen,
  type MaybePromise,
  runAtOnce,
  runInSlices,
  type Steps,
} from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';
import { objectDecoder } from '../objects/create-object-decoder.ts';
import { isLargeRecord } from '../objects/large-object.ts';
import { sortedSteps } from '../objects/sorted-store.ts';
import { type CachedVersion, keptVersion } from './cached-version.ts';
import type { ResourceDefinition, ResourceVersion } from './resource-definition.ts';

/** Converts objects of a type between versions (semantics/lifecycle#conversion). */
export interface ObjectConverter {
  /** Whether the same object may be converted differently later, as by a webhook: objects that are read one by one are converted anew. */
  readonly mayChange?: boolean;
  /**
   * Returns the objects in another version, in the same order. None of them is in that version already.
   * @throws StatusError if any of them cannot be converted
   */
  convert(objects: readonly ApiObject[], apiVersion: string): MaybePromise<readonly ApiObject[]>;
}

/** The dependencies of {@link CustomRecords}. */
interface CustomRecordsOptions {
  readonly definition: ResourceDefinition;
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
  readonly converter: ObjectConverter | undefined;
  version(name: string): ResourceVersion;
  /** The version in which an object is stored. */
  storedVersion(object: ApiObject): ResourceVersion;
  apiVersion(version: string): string;
}

/** A record and its object as the current schema of its stored version defines it. */
interface ReadRecord {
  readonly record: ObjectRecord;
  readonly read: ApiObject;
}

/** Reads records of a custom type as the current definition has them: pruned, with defaults, in the version of a request. */
export class CustomRecords {
  readonly #options: CustomRecordsOptions;

  constructor(options: CustomRecordsOptions) {
    this.#options = options;
  }

  /** Returns a record in a version, cached with the record as long as the definition of the version is the same. */
  inVersion(record: ObjectRecord, version: string): ObjectRecord {
    return this.#cached(record, version).record ?? runAtOnce(this.#readSteps(record, version));
  }

  *#readSteps(record: ObjectRecord, version: string): Steps<ObjectRecord> {
    const read = yield* this.readStoredSteps(record.object);
    const apiVersion = this.#options.apiVersion(version);
    if (record.object.apiVersion === apiVersion) return yield* this.#cacheSteps(record, version, read);
    const converted = this.convertStored([read], apiVersion);
    if (converted instanceof Promise) throw new TypeError(`${record.key} was not converted ahead`);
    return yield* this.#cacheConvertedSteps(record, version, converted[0] as ApiObject);
  }

  /** Whether a record has been read in a version. */
  isRead(record: ObjectRecord, version: string): boolean {
    return this.#cached(record, version).record !== undefined;
  }

  /**
   * Reads ahead what takes long, so that `inVersion` is fast and synchronous: records that are converted, and large ones. Returns
   * undefined if there is nothing to wait for.
   * @param isReadAlone whether the records are read one by one: what a webhook returned before is then not reused
   * @throws StatusError what the converter throws, also from the promise
   */
  readAhead(
    records: readonly ObjectRecord[],
    version: string,
    isReadAlone: boolean,
  ): MaybePromise<void> | undefined {
    const waiting = records.filter((record) => this.#isToRead(record, version, isReadAlone));
    if (waiting.length === 0) return undefined;
    const running = waiting.map((record) => this.#cached(record, version).reading);
    if (!isReadAlone && running.every((reading) => reading !== undefined))
      return Promise.all(running).then(() => undefined);
    const reading = this.#read(waiting, version);
    if (!(reading instanceof Promise)) return reading;
    return this.#announced(waiting, version, reading);
  }

  #isToRead(record: ObjectRecord, version: string, isReadAlone: boolean): boolean {
    const { converter, apiVersion } = this.#options;
    const isCached = this.isRead(record, version);
    if (isCached && !(isReadAlone && converter?.mayChange)) return false;
    const isConverted = converter !== undefined && record.type.apiVersion !== apiVersion(version);
    return isConverted || (!isCached && isLargeRecord(record));
  }

  /** Lets others wait for a reading. */
  #announced(records: readonly ObjectRecord[], version: string, reading: Promise<void>): Promise<void> {
    const entries = records.map((record) => this.#cached(record, version));
    for (const entry of entries) entry.reading = reading;
    return reading.finally(() => {
      for (const entry of entries) if (entry.reading === reading) entry.reading = undefined;
    });
  }

  #read(records: readonly ObjectRecord[], version: string): MaybePromise<void> {
    const { ambient, apiVersion } = this.#options;
    const requested = apiVersion(version);
    return andThen(runInSlices(this.#readAllSteps(records), ambient), (all) => {
      const others = all.filter(({ record }) => record.type.apiVersion !== requested);
      const converting =
        others.length === 0
          ? []
          : this.convertStored(
              others.map(({ read }) => read),
              requested,
            );
      return andThen(converting, (converted) =>
        runInSlices(this.#cacheAllSteps(all, others, converted, version), ambient),
      );
    });
  }

  /** Those that cannot be read are left out: the error belongs to who needs them. */
  *#readAllSteps(records: readonly ObjectRecord[]): Steps<readonly ReadRecord[]> {
    const all: ReadRecord[] = [];
    for (const record of records) {
      try {
        if (isLargeRecord(record)) yield* record.loadSteps();
        all.push({ record, read: yield* this.readStoredSteps(record.object) });
      } catch {
        continue;
      }
      yield;
    }
    return all;
  }

  *#cacheAllSteps(
    all: readonly ReadRecord[],
    others: readonly ReadRecord[],
    converted: readonly ApiObject[],
    version: string,
  ): Steps<void> {
    const convertedOf = new Map(others.map(({ record }, index) => [record, converted[index]]));
    for (const { record, read } of all) {
      const other = convertedOf.get(record);
      if (other) yield* this.#cacheConvertedSteps(record, version, other);
      else yield* this.#cacheSteps(record, version, read);
      yield;
    }
  }

  /** Returns a stored object as the current schema of its version defines it. */
  readStoredSteps(object: ApiObject): Steps<ApiObject> {
    const { definition, storedVersion } = this.#options;
    return objectDecoder(definition, storedVersion(object)).readStoredSteps(object);
  }

  *#cacheConvertedSteps(record: ObjectRecord, version: string, converted: ApiObject): Steps<ObjectRecord> {
    const { definition, version: named } = this.#options;
    const read = yield* objectDecoder(definition, named(version)).convertedSteps(converted);
    return yield* this.#cacheSteps(record, version, read);
  }

  *#cacheSteps(record: ObjectRecord, version: string, read: ApiObject): Steps<ObjectRecord> {
    const { key, revision, codec, object } = record;
    const cached = this.#cached(record, version);
    const sorted = yield* sortedSteps(read);
    if (sorted === object) return this.#keep(cached, record);
    const encoded = codec.encodeSteps ? yield* codec.encodeSteps(sorted) : codec.encode(sorted);
    return this.#keep(cached, new ObjectRecord(key, revision, encoded, codec));
  }

  #keep(cached: CachedVersion, record: ObjectRecord): ObjectRecord {
    cached.record = record;
    return record;
  }

  #cached(record: ObjectRecord, version: string): CachedVersion {
    const of = this.#options.version(version);
    const make = (): CachedVersion => ({ of, record: undefined, reading: undefined });
    const cached = this.#options.converter
      ? keptVersion(record, version, make)
      : record.memo(`reading/${version}`, make);
    if (cached.of !== of) {
      cached.of = of;
      cached.record = undefined;
      cached.reading = undefined;
    }
    return cached;
  }

  /** Converts objects as they are stored, without their resource version, which they get back. */
  convertStored(objects: readonly ApiObject[], apiVersion: string): MaybePromise<readonly ApiObject[]> {
    const { converter } = this.#options;
    if (!converter) return objects.map((object) => named(object, apiVersion));
    const converted = converter.convert(objects.map(withoutResourceVersion), apiVersion);
    return andThen(converted, (all) =>
      all.map((object, index) => withResourceVersionOf(objects[index] as ApiObject, object)),
    );
  }
}

function withoutResourceVersion(object: ApiObject): ApiObject {
  const { resourceVersion: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withResourceVersionOf({ metadata: { resourceVersion } }: ApiObject, object: ApiObject): ApiObject {
  if (resourceVersion === undefined) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

/** Returns an object with another `apiVersion`: versions without a conversion have the same fields. */
export function named(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
