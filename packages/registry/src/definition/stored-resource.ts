import type {
  AdmissionChain,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionVersions,
} from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  andThen,
  apiVersionOf,
  type GroupResource,
  type MaybePromise,
} from '@ashlar/core';
import type { ObjectStore } from '@ashlar/storage';
import { ObjectRecord } from '@ashlar/storage';
import { isLargeRecord, loadIfLarge } from '../objects/large-object.ts';
import { objectDecoder } from '../objects/object-decoder.ts';
import { sortedAtOnce, sortedObject, sortedStore } from '../objects/sorted-store.ts';
import { FieldOwnership, fieldType } from '../ownership/field-ownership.ts';
import { mergePart } from '../ownership/merge-part.ts';
import type { ObjectAllocator } from './object-allocator.ts';
import {
  type ResourceDefinition,
  type ResourceVersion,
  storageVersion,
  storedKey,
  storedPrefix,
} from './resource-definition.ts';
import type { RequestContext } from './resource-storage.ts';

/** The dependencies of a stored resource. */
export interface ResourceEnvironment {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
  /** Converts custom objects between versions; by default versions differ in their name only. */
  readonly converter?: ObjectConverter | undefined;
  /** Gives objects of the type what they share with others; by default they need nothing. */
  readonly allocator?: ObjectAllocator | undefined;
  /** Whether a generated name that is taken is generated anew. Default true. */
  readonly retriesNames?: boolean | undefined;
}

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

/** A stored resource type: the state that its verbs share. */
export class StoredResource {
  readonly definition: ResourceDefinition;
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
  readonly allocator: ObjectAllocator | undefined;
  readonly retriesNames: boolean;
  readonly ownership: FieldOwnership;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  /** Prefix of its keys, with a slash at the end. */
  readonly prefix: string;
  readonly #versions: ReadonlyMap<string, ResourceVersion>;
  readonly #conversions: Map<string, (record: ObjectRecord) => ApiObject> = new Map();
  readonly #storageVersion: string;
  readonly #converter: ObjectConverter | undefined;
  readonly #admissionVersionsOf: Map<string, AdmissionVersions> = new Map();

  constructor(definition: ResourceDefinition, environment: ResourceEnvironment) {
    const { store, ambient, admission, converter, allocator } = environment;
    this.definition = definition;
    this.store = definition.dialect === 'custom' ? sortedStore(store, ambient) : store;
    this.ambient = ambient;
    this.admission = admission;
    this.allocator = allocator;
    this.retriesNames = environment.retriesNames ?? true;
    this.ownership = new FieldOwnership(definition, ambient);
    this.groupResource = { group: definition.group, resource: definition.names.plural };
    this.namespaced = definition.scope === 'Namespaced';
    this.prefix = storedPrefix(definition);
    this.#versions = new Map(definition.versions.map((version) => [version.name, version]));
    this.#storageVersion = storageVersion(definition).name;
    this.#converter = converter;
  }

  version(name: string): ResourceVersion {
    const version = this.#versions.get(name);
    if (!version) throw new TypeError(`${this.prefix} has no version ${name}`);
    return version;
  }

  apiVersion(version: string): string {
    return apiVersionOf({ group: this.definition.group, version });
  }

  key(namespace: string, name: string): string {
    return storedKey(this.definition, namespace, name);
  }

  /** Returns the key prefix of a request's collection. */
  collection(namespace: string): string {
    return this.namespaced && namespace !== '' ? `${this.prefix}${namespace}/` : this.prefix;
  }

  /** Returns a stored object in the version of a request; converted at most once per record and version. */
  present(record: ObjectRecord, version: string): ApiObject {
    if (this.definition.dialect === 'custom') return this.#reading(record, version).object;
    const convert = this.#conversion(version);
    return convert ? record.memo(convert, convert) : record.object;
  }

  /** Returns the result of a request: the record itself if it is in the right version, so that its encodings are shared. */
  toResult(record: ObjectRecord, version: string): ObjectRecord | ApiObject {
    if (this.definition.dialect === 'custom') return this.#reading(record, version);
    if (!this.#conversion(version)) return record;
    const object = this.present(record, version);
    return object === record.object ? record : object;
  }

  /** As `toResult`; a large object whose content is needed for the result is decoded first, with pauses. */
  toResultWhenLoaded(record: ObjectRecord, version: string): MaybePromise<ObjectRecord | ApiObject> {
    const result = (): ObjectRecord | ApiObject => this.toResult(record, version);
    if (!isLargeRecord(record) || this.answersRecords(version)) return result();
    const loaded = loadIfLarge(this.ambient, record);
    return loaded ? loaded.then(result) : result();
  }

  /** Whether every record is answered as it is. */
  answersRecords(version: string): boolean {
    return this.definition.dialect !== 'custom' && !this.#conversion(version);
  }

  toStorage(object: ApiObject, version: string): MaybePromise<ApiObject> {
    if (this.definition.dialect === 'custom') return this.#storedForm(object, version);
    const stored = this.version(version).toStorage?.(object) ?? object;
    return this.#versions.size === 1 ? stored : named(stored, this.apiVersion(this.#storageVersion));
  }

  /** Returns an object as it would be read after it was stored: the result of a dry run. */
  async readBack(object: ApiObject, version: string): Promise<ApiObject> {
    if (this.definition.dialect !== 'custom') return object;
    const read = this.#readStored(await this.#storedForm(object, version));
    const apiVersion = this.apiVersion(version);
    if (read.apiVersion === apiVersion) return sortedObject(read, this.ambient);
    const converted = await this.#convertStored([read], apiVersion);
    const pruned = objectDecoder(this.definition, this.version(version)).prune(converted[0] as ApiObject);
    return sortedObject(pruned, this.ambient);
  }

  /** Decodes an object that admission changed. */
  settle(object: ApiObject, version: string): ApiObject {
    return objectDecoder(this.definition, this.version(version)).settle(object);
  }

  /**
   * Converts records ahead, so that `present` and `toResult` are synchronous; undefined if there is nothing to wait for.
   * @param isRead whether the records are read one by one: what a webhook returned before is then not reused
   * @throws StatusError what the converter throws, also from the promise
   */
  convertAhead(
    records: readonly ObjectRecord[],
    version: string,
    isRead: boolean,
  ): MaybePromise<void> | undefined {
    const { mayChange } = this.#converter ?? { mayChange: false };
    const waiting = this.#converter
      ? records.filter((record) => (isRead && mayChange) || !this.#cached(record, version).record)
      : [];
    if (waiting.length === 0) return undefined;
    const otherVersions = waiting.filter(({ object }) => object.apiVersion !== this.apiVersion(version));
    if (otherVersions.length === 0) return undefined;
    const cache = (converted: readonly ApiObject[]): void => {
      for (const [index, record] of otherVersions.entries())
        this.#cacheConverted(record, version, converted[index] as ApiObject);
    };
    const stored = otherVersions.map(({ object }) => this.#readStored(object));
    return andThen(this.#convertStored(stored, this.apiVersion(version)), cache);
  }

  /** Returns a record in a version, cached with the record as long as the definition of the version is the same. */
  #reading(record: ObjectRecord, version: string): ObjectRecord {
    const cached = this.#cached(record, version);
    if (cached.record) return cached.record;
    const { object } = record;
    const read = this.#readStored(object);
    if (object.apiVersion === this.apiVersion(version)) return this.#cacheResult(record, version, read);
    if (!this.#converter) return this.#cacheConverted(record, version, named(read, this.apiVersion(version)));
    const converted = this.#convertStored([read], this.apiVersion(version));
    if (converted instanceof Promise) throw new TypeError(`${record.key} was not converted ahead`);
    return this.#cacheConverted(record, version, converted[0] as ApiObject);
  }

  /** Returns a stored object as the current schema of its version defines it. */
  #readStored(object: ApiObject): ApiObject {
    return objectDecoder(this.definition, this.#storedVersion(object)).readStored(object);
  }

  #storedVersion({ apiVersion }: ApiObject): ResourceVersion {
    const name = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
    return this.#versions.get(name) ?? this.version(this.#storageVersion);
  }

  #cacheConverted(record: ObjectRecord, version: string, converted: ApiObject): ObjectRecord {
    const pruned = objectDecoder(this.definition, this.version(version)).prune(converted);
    return this.#cacheResult(record, version, pruned);
  }

  #cacheResult(record: ObjectRecord, version: string, read: ApiObject): ObjectRecord {
    const { key, revision, codec, object } = record;
    const cached = this.#cached(record, version);
    const sorted = sortedAtOnce(read);
    cached.record = sorted === object ? record : new ObjectRecord(key, revision, codec.encode(sorted), codec);
    return cached.record;
  }

  #cached(record: ObjectRecord, version: string): CachedVersion {
    const cached = record.memo(
      `reading/${version}`,
      (): CachedVersion => ({ of: undefined, record: undefined }),
    );
    const of = this.version(version);
    if (cached.of !== of) {
      cached.of = of;
      cached.record = undefined;
    }
    return cached;
  }

  /** Returns an object in the stored version without unknown fields; defaults are set when it is read. */
  #storedForm(object: ApiObject, version: string): MaybePromise<ApiObject> {
    if (version === this.#storageVersion) return object;
    const apiVersion = this.apiVersion(this.#storageVersion);
    const { prune } = objectDecoder(this.definition, this.version(this.#storageVersion));
    return andThen(this.#convertStored([object], apiVersion), ([one]) => prune(one as ApiObject));
  }

  /** Converts objects as they are stored, without their resource version, which they get back. */
  #convertStored(objects: readonly ApiObject[], apiVersion: string): MaybePromise<readonly ApiObject[]> {
    if (!this.#converter) return objects.map((object) => named(object, apiVersion));
    const converted = this.#converter.convert(objects.map(withoutResourceVersion), apiVersion);
    return andThen(converted, (all) =>
      all.map((object, index) => withResourceVersionOf(objects[index] as ApiObject, object)),
    );
  }

  /** Returns the conversion from the stored version; undefined if there is nothing to convert. */
  #conversion(name: string): ((record: ObjectRecord) => ApiObject) | undefined {
    const { fromStorage } = this.version(name);
    if (!fromStorage && this.#versions.size === 1) return undefined;
    let conversion = this.#conversions.get(name);
    if (!conversion) {
      conversion = fromStorage
        ? ({ object }) => fromStorage(object)
        : ({ object }) => named(object, this.apiVersion(name));
      this.#conversions.set(name, conversion);
    }
    return conversion;
  }

  /** Converts an object between two versions of this type; pruned if it is a custom one. */
  #convert(object: ApiObject, from: string, to: string): MaybePromise<ApiObject> {
    if (from === to) return object;
    if (this.definition.dialect !== 'custom') {
      const stored = named(
        this.version(from).toStorage?.(object) ?? object,
        this.apiVersion(this.#storageVersion),
      );
      return named(this.version(to).fromStorage?.(stored) ?? stored, this.apiVersion(to));
    }
    const apiVersion = this.apiVersion(to);
    const { prune } = objectDecoder(this.definition, this.version(to));
    const converted = this.#converter?.convert([object], apiVersion) ?? [named(object, apiVersion)];
    const first = ([one]: readonly ApiObject[]): ApiObject => prune(one as ApiObject);
    return converted instanceof Promise ? converted.then(first) : first(converted);
  }

  /** Returns the versions of this type for admission; the same value for all requests of a version. */
  #admissionVersions(version: string): AdmissionVersions {
    let versions = this.#admissionVersionsOf.get(version);
    if (!versions) {
      versions = {
        others: this.definition.versions
          .filter(isServed)
          .flatMap(({ name }) => (name === version ? [] : [name])),
        isCustom: this.definition.dialect === 'custom',
        convert: (object, from, to) => this.#convert(object, from, to),
        decode: (object, of) => this.settle(object, of),
        merge: (object, part, of) => mergePart(object, part, fieldType(this.version(of))),
      };
      this.#admissionVersionsOf.set(version, versions);
    }
    return versions;
  }

  /** Returns a request to the admission chain. */
  admissionRequest(
    context: RequestContext,
    operation: AdmissionOperation,
    about: AdmissionSubject,
  ): AdmissionRequest {
    const { group, names } = this.definition;
    const isNamespace = group === '' && names.plural === 'namespaces';
    return {
      operation,
      resource: { group, version: context.version, resource: names.plural },
      kind: { group, version: context.version, kind: names.kind },
      subresource: about.subresource ?? '',
      namespace: isNamespace ? about.name : context.namespace,
      name: about.isNameless ? '' : about.name,
      object: about.object,
      oldObject: about.oldObject,
      user: context.user,
      dryRun: context.dryRun,
      options: context.options,
      versions: this.#admissionVersions(context.version),
      signal: context.signal,
      warn: context.warn,
      annotate: context.annotate,
    };
  }
}

const isServed = ({ served }: ResourceVersion): boolean => served;

/** A record in one version, valid as long as the definition of the version is the same. */
interface CachedVersion {
  of: ResourceVersion | undefined;
  record: ObjectRecord | undefined;
}

interface AdmissionSubject {
  readonly name: string;
  /** Whether admission requests have no name: objects of a deleted collection. */
  readonly isNameless?: boolean;
  readonly subresource?: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
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
function named(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
