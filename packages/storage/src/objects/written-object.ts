import type { ApiObject } from '@ashlar/core';

/** Maximum length of the encoding of objects that are kept as they were written: others are decoded again, with pauses. */
const MAXIMUM_REUSED_BYTES = 16_384;

/**
 * Freezes an object that was written and returns it with its resource version, as its record would decode it.
 * Returns undefined if decoding might give another object: one without undefined members or without what is not JSON.
 * @param length of its encoding in bytes
 */
export function readBack(object: ApiObject, length: number, revision: number): ApiObject | undefined {
  if (length > MAXIMUM_REUSED_BYTES || !freezeJson(object)) return undefined;
  const read = withRevision(object, revision);
  Object.freeze(read.metadata);
  return Object.freeze(read);
}

/**
 * Returns an object with its resource version after its uid; before it if the uid is the last of its metadata, as it is where they are in the order of
 * their names; first if it has no uid.
 */
export function withRevision(object: ApiObject, revision: number): ApiObject {
  const resourceVersion = String(revision);
  const metadata: Record<string, unknown> = {};
  const names = Object.keys(object.metadata).filter((name) => name !== 'resourceVersion');
  const isLast = names.at(-1) === 'uid';
  if (object.metadata.uid === undefined) metadata.resourceVersion = resourceVersion;
  for (const name of names) {
    if (name === 'uid' && isLast) metadata.resourceVersion = resourceVersion;
    metadata[name] = object.metadata[name as 'name'];
    if (name === 'uid' && !isLast) metadata.resourceVersion = resourceVersion;
  }
  return { ...object, metadata };
}

/** Freezes plain JSON, parts that are frozen already excepted. Returns false at the first value that is not JSON. */
function freezeJson(object: unknown): boolean {
  const pending: unknown[] = [object];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== 'object' || next === null || Object.isFrozen(next)) {
      if (next === undefined) return false;
      continue;
    }
    const prototype = Object.getPrototypeOf(next);
    if (prototype !== Object.prototype && prototype !== Array.prototype && prototype !== null) return false;
    for (const key in next) pending.push((next as Record<string, unknown>)[key]);
    Object.freeze(next);
  }
  return true;
}
