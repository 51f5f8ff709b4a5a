import type { Steps } from '../contracts/steps.ts';
import { CodedError } from '../errors/coded-error.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { memberNames } from '../json/member-names.ts';

/** Maximum size of a body in bytes, and of an object after defaults and patches. */
export const MAXIMUM_OBJECT_BYTES: number = 3 * 1024 * 1024;

/**
 * An object that exceeds the size limit after defaults or a patch. The API responds 413 with the message,
 * `Request entity too large: limit is 3145728`. It has no stack: it is an ordinary response.
 */
export class ObjectTooLargeError extends CodedError {
  static override readonly code: string = 'ERR_OBJECT_TOO_LARGE';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'ObjectTooLargeError';
  /** Bytes. */
  readonly limit: number;
  /** The message without its start, such as `limit is 3145728`. */
  readonly problem: string;

  constructor(limit: number = MAXIMUM_OBJECT_BYTES, problem: string = `limit is ${limit}`) {
    super(`Request entity too large: ${problem}`);
    this.limit = limit;
    this.problem = problem;
  }
}

/**
 * Estimates the size of a value as JSON in bytes: exact for ASCII without escapes, too small otherwise. Deep
 * nesting is safe, and counting stops above the limit.
 * @returns the size; if that is over the limit, some number above it
 */
export function jsonSize(value: JsonValue, limit: number = Number.POSITIVE_INFINITY): number {
  if (!isContainer(value)) return scalarSize(value);
  let size = 0;
  const pending: Container[] = [value];
  for (let next = pending.pop(); next && size <= limit; next = pending.pop())
    size += sizeOf(next, pending, limit - size);
  return size;
}

/** As {@link jsonSize}, with pauses where the value is large. */
export function* jsonSizeSteps(value: JsonValue, limit: number): Steps<number> {
  if (!isContainer(value)) return scalarSize(value);
  let size = 0;
  let pausedAt = 0;
  const pending: Container[] = [value];
  for (let next = pending.pop(); next && size <= limit; next = pending.pop()) {
    size += sizeOf(next, pending, limit - size);
    if (size < pausedAt + BYTES_PER_STEP) continue;
    pausedAt = size;
    yield;
  }
  return size;
}

/** Bytes that are counted between two pauses. */
const BYTES_PER_STEP = 65_536;

type Container = JsonObject | readonly JsonValue[];

const isContainer = (value: JsonValue): value is Container => typeof value === 'object' && value !== null;

const sizeOf = (next: Container, pending: Container[], limit: number): number =>
  Array.isArray(next) ? sizeOfItems(next, pending) : sizeOfMembers(next as JsonObject, pending, limit);

/** The size of a list without the lists and objects in it, which are pushed. */
function sizeOfItems(list: readonly JsonValue[], pending: Container[]): number {
  let size = Math.max(2, list.length + 1);
  for (const item of list) {
    if (isContainer(item)) pending.push(item);
    else size += scalarSize(item);
  }
  return size;
}

/** The same of an object; each key has its quotes, its colon and its comma. Ends where the size is above the limit. */
function sizeOfMembers(object: JsonObject, pending: Container[], limit: number): number {
  let size = 1;
  for (const key of memberNames(object)) {
    if (size > limit) break;
    const member = object[key];
    if (member === undefined) continue;
    size += key.length + 4;
    if (isContainer(member)) pending.push(member);
    else size += scalarSize(member);
  }
  return Math.max(2, size);
}

const scalarSize = (value: null | boolean | number | bigint | string): number =>
  typeof value === 'string' ? value.length + 2 : value === null ? 4 : String(value).length;
