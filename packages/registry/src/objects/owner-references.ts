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
  if (!references || references.length < 2 || hasDistinctUids(references)) return object;
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  const distinct = references.filter((reference) => {
    const text = identity(reference);
    if (seen.has(text)) duplicates.add(reference.uid);
    return !seen.has(text) && seen.add(text);
  });
  if (distinct.length === references.length) return object;
  warn(
    `${afterAdmission ? AFTER : BEFORE}; please fix your requests; duplicate UID(s) observed: ${[...duplicates].join(', ')}`,
  );
  return withCanonicalMetadata(object, { ownerReferences: distinct });
}

/** Nearly always so, and then no reference need be compared as a whole. */
function hasDistinctUids(references: readonly OwnerReference[]): boolean {
  const uids = new Set<unknown>();
  for (const { uid } of references) uids.add(uid);
  return uids.size === references.length;
}

/** Lengths and fields: there may be a hundred thousand references with the same uid, and their JSON takes twice as long. */
const identity = ({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: OwnerReference): string =>
  `${apiVersion?.length} ${kind?.length} ${name?.length} ${uid?.length} ${controller} ${blockOwnerDeletion} ${apiVersion}${kind}${name}${uid}`;
