import type { ApiObject, OwnerReference } from '@ashlar/core';
import { withCanonicalMetadata } from './canonical-object.ts';

const BEFORE =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24';
const AFTER =
  '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24';

/** Removes owner references that are equal in every field, with one warning that names their uids (semantics/metadata#owners-and-finalizers). */
export function withoutDuplicateOwners(
  object: ApiObject,
  warn: (text: string) => void,
  afterAdmission: boolean,
): ApiObject {
  const references = object.metadata.ownerReferences;
  if (!references || references.length < 2) return object;
  const known: KnownOwners = new Map();
  const duplicates = new Set<string>();
  const distinct = references.filter((reference) => {
    const isNew = addOwner(known, reference, 0);
    if (!isNew) duplicates.add(reference.uid);
    return isNew;
  });
  if (duplicates.size === 0) return object;
  warn(
    `${afterAdmission ? AFTER : BEFORE}; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  );
  return withCanonicalMetadata(object, { ownerReferences: distinct });
}

/** All fields of a reference; uids are nearly always distinct, and then no other field is looked at. */
const FIELDS = ['uid', 'name', 'kind', 'apiVersion', 'controller', 'blockOwnerDeletion'] as const;

/** References by a field; those with the same value by the next one. There may be hundreds of thousands, of which no text is made. */
type KnownOwners = Map<unknown, OwnerReference | KnownOwners>;

/** Adds a reference, unless it is there. Returns whether it was added. */
function addOwner(known: KnownOwners, reference: OwnerReference, level: number): boolean {
  const value = reference[FIELDS[level] as keyof OwnerReference];
  const found = known.get(value);
  if (found === undefined) {
    known.set(value, reference);
    return true;
  }
  if (found instanceof Map) return addOwner(found, reference, level + 1);
  if (isSameOwner(found, reference)) return false;
  return addOwner(split(known, value, found, level + 1), reference, level + 1);
}

const isSameOwner = (a: OwnerReference, b: OwnerReference): boolean =>
  FIELDS.every((field) => a[field] === b[field]);

function split(known: KnownOwners, value: unknown, first: OwnerReference, level: number): KnownOwners {
  const byNext: KnownOwners = new Map([[first[FIELDS[level] as keyof OwnerReference], first]]);
  known.set(value, byNext);
  return byNext;
}
