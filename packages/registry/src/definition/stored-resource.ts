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
  runInSlices,
  type Steps,
} from '@ashlar/core';
import type { ObjectRecord, ObjectStore } from '@ashlar/storage';
import { objectDecoder } from '../objects/create-object-decoder.ts';
import { isLargeRecord, loadIfLarge } from '../objects/large-object.ts';
import { sortedObject, sortedStore } from '../objects/sorted-store.ts';
import { runWithConversions } from '../ownership/asked-conversions.ts';
import { FieldOwnership, fieldType } from '../ownership/field-ownership.ts';
import { mergePartSteps } from '../ownership/merge-part.ts';
import { CustomRecords, named, type ObjectConverter } from './custom-records.ts';
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
  /** Annotations in which any version keeps fields: they are validated as the fields that they become. */
  readonly fieldAnnotations: readonly string[];
  readonly #versions: ReadonlyMap<string, ResourceVersion>;
  readonly #conversions: Map<string, (record: ObjectRecord) => ApiObject> = new Map();
  readonly #storageVersion: string;
  readonly #converter: ObjectConverter | undefined;
  readonly #customRecords: CustomRecords;
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
    this.fieldAnnotations = [
      ...new Set(definition.versions.flatMap((version) => version.fieldAnnotations ?? [])),
    ];
    this.#storageVersion = storageVersion(definition).name;
    this.#converter = converter;
    this.#customRecords = new CustomRecords({
      ...{ definition, ambient, converter },
      version: (name) => this.version(name),
      storedVersion: (object) => this.#storedVersion(object),
      apiVersion: (version) => this.apiVersion(version),
    });
  }

  /** Computes owners of fields; its forms in other versions are asked of what converts it (semantics/apply#update-algorithm). */
  computeOwners<T>(compute: (ownership: FieldOwnership) => Steps<T>): MaybePromise<T> {
    const { definition, ambient } = this;
    const converter = this.#converter;
    if (!converter) return runInSlices(compute(this.ownership), ambient);
    return runWithConversions(converter, ambient, (convert) =>
      compute(new FieldOwnership(definition, ambient, convert)),
    );
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
    if (this.definition.dialect === 'custom') return this.#customRecords.inVersion(record, version).object;
    const convert = this.#conversion(version);
    return convert ? record.memo(convert, convert) : record.object;
  }

  /** Whether a custom object is stored in a version: it is read in it without a conversion. */
  isStoredIn(record: ObjectRecord, version: string): boolean {
    return this.definition.dialect === 'custom' && record.type.apiVersion === this.apiVersion(version);
  }

  /** Returns the result of a request: the record itself if it is in the right version, so that its encodings are shared. */
  toResult(record: ObjectRecord, version: string): ObjectRecord | ApiObject {
    if (this.definition.dialect === 'custom') return this.#customRecords.inVersion(record, version);
    if (!this.#conversion(version)) return record;
    const object = this.present(record, version);
    return object === record.object ? record : object;
  }

  /** As `toResult`; a large object whose content is needed for the result is decoded first, with pauses. */
  toResultWhenLoaded(record: ObjectRecord, version: string): MaybePromise<ObjectRecord | ApiObject> {
    const result = (): ObjectRecord | ApiObject => this.toResult(record, version);
    if (!isLargeRecord(record) || this.answersRecords(version)) return result();
    if (this.definition.dialect === 'custom' && this.#customRecords.isRead(record, version)) return result();
    const loaded = loadIfLarge(this.ambient, record);
    return loaded ? loaded.then(result) : result();
  }

  /** Decodes a large object ahead, with pauses, so that `present` is fast. */
  loadPresent(record: ObjectRecord, version: string): MaybePromise<void> {
    const isCustom = this.definition.dialect === 'custom';
    return loadIfLarge(this.ambient, isCustom ? this.#customRecords.inVersion(record, version) : record);
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
    const stored = await this.#storedForm(object, version);
    const read = await runInSlices(this.#customRecords.readStoredSteps(stored), this.ambient);
    const apiVersion = this.apiVersion(version);
    if (read.apiVersion === apiVersion) return sortedObject(read, this.ambient);
    const [converted] = await this.#customRecords.convertStored([read], apiVersion);
    const settled = objectDecoder(this.definition, this.version(version)).convertedSteps(
      converted as ApiObject,
    );
    return sortedObject(await runInSlices(settled, this.ambient), this.ambient);
  }

  /** Decodes an object that admission changed. */
  settle(object: ApiObject, version: string): MaybePromise<ApiObject> {
    return runInSlices(this.#settleSteps(object, version), this.ambient);
  }

  #settleSteps(object: ApiObject, version: string, isStrict = false): Steps<ApiObject> {
    return objectDecoder(this.definition, this.version(version)).settleSteps(object, isStrict);
  }

  /** As {@link CustomRecords.readAhead}. */
  readAhead(
    records: readonly ObjectRecord[],
    version: string,
    isReadAlone: boolean,
  ): MaybePromise<void> | undefined {
    return this.#customRecords.readAhead(records, version, isReadAlone);
  }

  /** Converts those records that are stored in another version than the given one. */
  convertAhead(records: readonly ObjectRecord[], version: string): MaybePromise<void> | undefined {
    const apiVersion = this.apiVersion(version);
    const others = records.filter((record) => !record.fault && record.type.apiVersion !== apiVersion);
    return this.#customRecords.readAhead(others, version, false);
  }

  #storedVersion({ apiVersion }: ApiObject): ResourceVersion {
    const name = apiVersion.slice(apiVersion.lastIndexOf('/') + 1);
    return this.#versions.get(name) ?? this.version(this.#storageVersion);
  }

  /** Returns an object in the stored version without unknown fields; defaults are set when it is read. */
  #storedForm(object: ApiObject, version: string): MaybePromise<ApiObject> {
    if (version === this.#storageVersion) return object;
    const apiVersion = this.apiVersion(this.#storageVersion);
    const { convertedSteps } = objectDecoder(this.definition, this.version(this.#storageVersion));
    return andThen(this.#customRecords.convertStored([object], apiVersion), ([one]) =>
      runInSlices(convertedSteps(one as ApiObject), this.ambient),
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
    const { convertedSteps } = objectDecoder(this.definition, this.version(to));
    const converted = this.#converter?.convert([object], apiVersion) ?? [named(object, apiVersion)];
    return andThen(converted, ([one]) => runInSlices(convertedSteps(one as ApiObject), this.ambient));
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
        decodeSteps: (object, of, isStrict) => this.#settleSteps(object, of, isStrict),
        mergeSteps: (object, part, of) => mergePartSteps(object, part, fieldType(this.version(of))),
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
      endsAt: context.endsAt,
      waits: context.waits,
      warn: context.warn,
      annotate: context.annotate,
      annotateContent: context.annotateContent,
    };
  }
}

const isServed = ({ served }: ResourceVersion): boolean => served;

interface AdmissionSubject {
  readonly name: string;
  /** Whether admission requests have no name: objects of a deleted collection. */
  readonly isNameless?: boolean;
  readonly subresource?: string;
  readonly object?: ApiObject | undefined;
  readonly oldObject?: ApiObject | undefined;
}
