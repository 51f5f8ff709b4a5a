import type { Ownership } from '@ashlar/controllers';
import type { ApiObject, ObjectMeta } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';

const decoder = new TextDecoder();
const MEMBERS = ['ownerReferences', 'deletionTimestamp'].map((name) => new TextEncoder().encode(name));

/** The ownership of a stored object. */
export interface StoredOwnership extends Ownership {
  /** Where it is stored. */
  readonly key: string;
}

/** Whether a stored object may have owners, or may have been deleted; read without parsing it. */
export function mayBeOwned(record: ObjectRecord): boolean {
  return record.hasMetadata(MEMBERS);
}

/** Reads the ownership of a stored object. A large one that was just written here is still in memory, with its owners by the ten thousand. */
export function readOwnership(record: ObjectRecord): StoredOwnership {
  const known = record.stored.length > SMALL_BYTES ? record.known : undefined;
  if (known) return { key: record.key, ...ownershipOf(known) };
  return { key: record.key, ...ownershipOf({ ...record.type, metadata: readMetadata(record) }) };
}

/** Returns the ownership of an object. */
export function ownershipOf({ apiVersion, kind, metadata }: ApiObject): Ownership {
  const { uid = '', namespace = '', name = '', resourceVersion = '' } = metadata;
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = metadata;
  return {
    ...{ uid, apiVersion, kind, namespace, name, resourceVersion },
    owners: ownerReferences ?? [],
    finalizers: finalizers ?? [],
    isBeingDeleted: typeof deletionTimestamp === 'string',
  };
}

/** Reads the metadata of a stored object. */
const readMetadata = (record: ObjectRecord): ObjectMeta =>
  JSON.parse(decoder.decode(record.metadataJson)) as ObjectMeta;

/** Stored objects up to this size have their metadata read as a whole. */
const SMALL_BYTES = 32_768;

/** Uid and namespace of a stored object; of a large one nothing else is parsed, such as its owners by the ten thousand. */
export function readIdentity(record: ObjectRecord): Pick<ObjectMeta, 'uid' | 'namespace'> {
  if (record.stored.length <= SMALL_BYTES) return readMetadata(record);
  const read = (name: string): ObjectMeta => (record.part(['metadata', name]).metadata ?? {}) as ObjectMeta;
  return { ...read('uid'), ...read('namespace') };
}
