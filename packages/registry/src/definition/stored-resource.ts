import type { AdmissionChain, AdmissionOperation, AdmissionRequest } from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  apiVersionOf,
  type GroupResource,
  groupResourceText,
} from '@ashlar/core';
import type { MaybePromise, ObjectStore } from '@ashlar/storage';
import { ObjectRecord } from '@ashlar/storage';
import { objectDecoder } from '../objects/object-decoder.ts';
import { FieldOwnership } from '../ownership/field-ownership.ts';
import { type ResourceDefinition, type ResourceVersion, storageVersion } from './resource-definition.ts';
import type { RequestContext } from './resource-storage.ts';

/** What a stored resource stands on. */
export interface ResourceEnvironment {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
  /** Converts users' objects from one version to another; without it versions differ in their name only. */
  readonly converter?: ObjectConverter | undefined;
}

/** Gets objects of a type from one version to another (semantics/lifecycle#conversion). */
export interface ObjectConverter {
  /**
   * The same objects in the version of that name, in the same order. None of them is in it already.
   * @throws StatusError where one cannot be converted: then none is
   */
  convert(objects: readonly ApiObject[], apiVersion: string): MaybePromise<readonly ApiObject[]>;
}

/** A stored resource type: what its verbs share. */
export class StoredResource {
  readonly definition: ResourceDefinition;
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
  readonly ownership: FieldOwnership;
  readonly groupResource: GroupResource;
  readonly namespaced: boolean;
  /** Prefix of its keys, with a slash at the end. */
  readonly prefix: string;
  readonly #versions: ReadonlyMap<string, ResourceVersion>;
  readonly #conversions: Map<string, (record: ObjectRecord) => ApiObject> = new Map();
  readonly #storageVersion: string;
  readonly #converter: ObjectConverter | undefined;

  constructor(definition: ResourceDefinition, environment: ResourceEnvironment) {
    const { store, ambient, admission, converter } = environment;
    this.definition = definition;
    this.store = store;
    this.ambient = ambient;
    this.admission = admission;
    this.ownership = new FieldOwnership(definition, ambient);
    this.groupResource = { group: definition.group, resource: definition.names.plural };
    this.namespaced = definition.scope === 'Namespaced';
    this.prefix = `/${definition.storedAs ?? groupResourceText(this.groupResource)}/`;
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
    return this.namespaced ? `${this.prefix}${namespace}/${name}` : this.prefix + name;
  }

  /** Prefix of the keys that a request may see. */
  collection(namespace: string): string {
    return this.namespaced && namespace !== '' ? `${this.prefix}${namespace}/` : this.prefix;
  }

  /** The stored object in the version of a request; converted at most once per record and version. */
  present(record: ObjectRecord, version: string): ApiObject {
    if (this.definition.dialect === 'custom') return this.#reading(record, version).object;
    const convert = this.#conversion(version);
    return convert ? record.memo(convert, convert) : record.object;
  }

  /** What a request answers: the record itself where that is in its version, so that its encodings are shared. */
  answer(record: ObjectRecord, version: string): ObjectRecord | ApiObject {
    if (this.definition.dialect === 'custom') return this.#reading(record, version);
    if (!this.#conversion(version)) return record;
    const object = this.present(record, version);
    return object === record.object ? record : object;
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

  /** What would be read of an object of a version once it was stored: the answer of a dry run. */
  async readBack(object: ApiObject, version: string): Promise<ApiObject> {
    if (this.definition.dialect !== 'custom') return object;
    const read = this.#readStored(await this.#storedForm(object, version));
    const apiVersion = this.apiVersion(version);
    if (read.apiVersion === apiVersion) return read;
    const converted = (await this.#converter?.convert([read], apiVersion)) ?? [named(read, apiVersion)];
    return objectDecoder(this.definition, this.version(version)).prune(converted[0] as ApiObject);
  }

  /** An object that admission changed, in shape again. */
  settle(object: ApiObject, version: string): ApiObject {
    return objectDecoder(this.definition, this.version(version)).settle(object);
  }

  /**
   * Has records converted that are not in a version yet, so that `present` and `answer` need not wait; undefined where nothing
   * has to be waited for.
   * @throws StatusError what the converter throws, also from the promise
   */
  convertAhead(records: readonly ObjectRecord[], version: string): MaybePromise<void> | undefined {
    const waiting = this.#converter
      ? records.filter((record) => this.#kept(record, version).record === undefined)
      : [];
    if (waiting.length === 0) return undefined;
    const foreign = waiting.filter(({ object }) => object.apiVersion !== this.apiVersion(version));
    if (foreign.length === 0) return undefined;
    const keep = (converted: readonly ApiObject[]): void => {
      for (const [index, record] of foreign.entries())
        this.#keep(record, version, converted[index] as ApiObject);
    };
    const answer = (this.#converter as ObjectConverter).convert(
      foreign.map(({ object }) => this.#readStored(object)),
      this.apiVersion(version),
    );
    return answer instanceof Promise ? answer.then(keep) : keep(answer);
  }

  /** A record in a version, made once and kept with the record for as long as the version is the same. */
  #reading(record: ObjectRecord, version: string): ObjectRecord {
    const kept = this.#kept(record, version);
    if (kept.record) return kept.record;
    const { object } = record;
    const read = this.#readStored(object);
    if (object.apiVersion === this.apiVersion(version)) return this.#keepRead(record, version, read);
    if (!this.#converter) return this.#keep(record, version, named(read, this.apiVersion(version)));
    const converted = this.#converter.convert([read], this.apiVersion(version));
    if (converted instanceof Promise) throw new TypeError(`${record.key} was not converted ahead`);
    return this.#keep(record, version, converted[0] as ApiObject);
  }

  /** What the schema of the version that an object was stored in makes of it by now. */
  #readStored(object: ApiObject): ApiObject {
    return objectDecoder(this.definition, this.#storedVersion(object)).readStored(object);
  }

  #storedVersion({ apiVersion }: ApiObject): ResourceVersion {
    const name = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
    return this.#versions.get(name) ?? this.version(this.#storageVersion);
  }

  #keep(record: ObjectRecord, version: string, converted: ApiObject): ObjectRecord {
    const pruned = objectDecoder(this.definition, this.version(version)).prune(converted);
    return this.#keepRead(record, version, pruned);
  }

  #keepRead(record: ObjectRecord, version: string, read: ApiObject): ObjectRecord {
    const { key, revision, codec, object } = record;
    const kept = this.#kept(record, version);
    kept.record = read === object ? record : new ObjectRecord(key, revision, codec.encode(read), codec);
    return kept.record;
  }

  #kept(record: ObjectRecord, version: string): KeptReading {
    const kept = record.memo(`reading/${version}`, (): KeptReading => ({ of: undefined, record: undefined }));
    const of = this.version(version);
    if (kept.of !== of) {
      kept.of = of;
      kept.record = undefined;
    }
    return kept;
  }

  /** An object in the version that is stored, without what that does not know; its defaults are set when it is read. */
  #storedForm(object: ApiObject, version: string): MaybePromise<ApiObject> {
    if (version === this.#storageVersion) return object;
    const apiVersion = this.apiVersion(this.#storageVersion);
    const { prune } = objectDecoder(this.definition, this.version(this.#storageVersion));
    const converted = this.#converter?.convert([object], apiVersion) ?? [named(object, apiVersion)];
    const first = ([one]: readonly ApiObject[]): ApiObject => prune(one as ApiObject);
    return converted instanceof Promise ? converted.then(first) : first(converted);
  }

  /** From storage into a version; undefined where everything stored is in that version. */
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

  /** A question to the admission chain. */
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
      name: about.name,
      object: about.object,
      oldObject: about.oldObject,
      user: context.user,
      dryRun: context.dryRun,
      warn: context.warn,
      annotate: context.annotate,
    };
  }
}

/** What a record is in one version, as long as that is the same. */
interface KeptReading {
  of: ResourceVersion | undefined;
  record: ObjectRecord | undefined;
}

interface AdmissionSubject {
  readonly name: string;
  readonly subresource?: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
}

/** The same object under another version: versions without a conversion of their own have the same fields. */
function named(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion };
}
