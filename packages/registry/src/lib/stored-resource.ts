import type { AdmissionChain, AdmissionOperation, AdmissionRequest } from '@ashlar/admission';
import {
  type Ambient,
  type ApiObject,
  apiVersionOf,
  type GroupResource,
  groupResourceText,
} from '@ashlar/core';
import type { ObjectRecord, ObjectStore } from '@ashlar/storage';
import { FieldOwnership } from './field-ownership.ts';
import { type ResourceDefinition, type ResourceVersion, storageVersion } from './resource-definition.ts';
import type { RequestContext } from './resource-storage.ts';

/** What a stored resource stands on. */
export interface ResourceEnvironment {
  readonly store: ObjectStore;
  readonly ambient: Ambient;
  readonly admission: AdmissionChain;
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

  constructor(definition: ResourceDefinition, { store, ambient, admission }: ResourceEnvironment) {
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
    const convert = this.#conversion(version);
    return convert ? record.memo(convert, convert) : record.object;
  }

  /** What a request answers: the record itself where that is in its version, so that its encodings are shared. */
  answer(record: ObjectRecord, version: string): ObjectRecord | ApiObject {
    if (!this.#conversion(version)) return record;
    const object = this.present(record, version);
    return object === record.object ? record : object;
  }

  toStorage(object: ApiObject, version: string): ApiObject {
    const stored = this.version(version).toStorage?.(object) ?? object;
    return this.#versions.size === 1 ? stored : named(stored, this.apiVersion(this.#storageVersion));
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
