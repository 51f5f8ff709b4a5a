import type { ApiObject, Steps } from '@ashlar/core';

/** Maximum length of the encoding of objects that are frozen at once: larger ones are frozen before they are written, with pauses. */
const MAXIMUM_BYTES_AT_ONCE = 16_384;
/** Values frozen between two pauses. */
const VALUES_PER_STEP = 1024;

/** Large objects that decoding their encoding would give, all parts of which are frozen. */
const PLAIN: WeakSet<ApiObject> = new WeakSet();

/** Whether an object is so large that it is frozen before it is written. @param length of its encoding in bytes */
export const isFrozenBefore = (length: number): boolean => length > MAXIMUM_BYTES_AT_ONCE;

/** Freezes a large object that is to be written, so that `readBack` returns it. */
export function* freezeWrittenSteps(object: ApiObject): Steps<void> {
  const freezing = new JsonFreezing(object);
  while (freezing.run(VALUES_PER_STEP)) yield;
  if (freezing.isJson) PLAIN.add(object);
}

/**
 * Freezes an object that was written and returns it with its resource version, as its record would decode it.
 * Returns undefined if decoding might give another object: one without undefined members or without what is not JSON; and for a
 * large one that was not frozen before.
 * @param length of its encoding in bytes
 */
export function readBack(object: ApiObject, length: number, revision: number): ApiObject | undefined {
  const isPlain = isFrozenBefore(length) ? PLAIN.has(object) : isFrozenJson(object);
  if (!isPlain) return undefined;
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

function isFrozenJson(object: ApiObject): boolean {
  const freezing = new JsonFreezing(object);
  freezing.run(Number.POSITIVE_INFINITY);
  return freezing.isJson;
}

/** Freezes plain JSON, parts that are frozen already excepted; nothing if there is a value that is not JSON. */
class JsonFreezing {
  isJson = true;
  readonly #pending: object[];
  readonly #found: object[] = [];

  constructor(object: ApiObject) {
    this.#pending = [object];
  }

  /** Goes on for about so many values; returns whether there are more. */
  run(values: number): boolean {
    const pending = this.#pending;
    for (let left = values; left > 0 && this.isJson && pending.length > 0; )
      left -= this.#look(pending.pop());
    if (!this.isJson || pending.length > 0) return this.isJson;
    for (let left = values; left > 0 && this.#found.length > 0; left--) Object.freeze(this.#found.pop());
    return this.#found.length > 0;
  }

  /** Returns the number of values that were looked at. */
  #look(container: object | undefined): number {
    if (container === undefined || Object.isFrozen(container)) return 1;
    const prototype = Object.getPrototypeOf(container);
    this.isJson = prototype === Object.prototype || prototype === Array.prototype || prototype === null;
    let looked = 1;
    for (const key in container) {
      const value = (container as Record<string, unknown>)[key];
      if (typeof value === 'object' && value !== null) this.#pending.push(value);
      else if (value === undefined) this.isJson = false;
      looked++;
    }
    this.#found.push(container);
    return looked;
  }
}
