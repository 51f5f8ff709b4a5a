import { isJsonArray, type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';
import { isContainer, type JsonContainer, type OwnContainer } from './json-container.ts';

export interface SizedCopy {
  /** Null if it would be larger than the limit. */
  readonly value: JsonValue;
  /** Bytes as JSON; above the limit some larger number. */
  readonly size: number;
}

/** The bytes of an object as JSON, without those of containers in it, and the names of these. */
export interface MeasuredMembers {
  readonly bytes: number;
  readonly containers: readonly string[];
}

/** A draft whose containers are copied. */
export interface CopiedDraft {
  /** Called before a container is read. */
  settle(original: JsonContainer): void;
  /** What was noted of an object that has not been changed since, or of what it is a copy of. */
  measured(object: JsonObject): MeasuredMembers | undefined;
  /** Called for each large object that was measured. */
  noteMeasure(object: JsonObject, members: MeasuredMembers): void;
  /** Called for each container that was copied. */
  noteCopy(copy: OwnContainer, original: JsonContainer): void;
  /** Called for a list that the copy contains itself: neither place may write it any more. */
  share(list: JsonContainer): void;
}

/** Members of a container, and containers, between two pauses, as a mask. */
const STRIDE = 1023;

/**
 * A copy of a value, with pauses. Its size is known before anything is copied, so that one beyond the limit takes no memory. Lists without
 * containers in them are shared.
 * @param limit maximum size in bytes of JSON
 */
export function* copyWithin(value: JsonValue, limit: number, draft: CopiedDraft): Steps<SizedCopy> {
  if (!isContainer(value)) return { value, size: scalarSize(value) };
  const size = yield* sizeWithin(value, limit, draft);
  return { value: size > limit ? null : yield* copied(value, draft), size };
}

function* sizeWithin(value: JsonContainer, limit: number, draft: CopiedDraft): Steps<number> {
  const pending: JsonContainer[] = [value];
  let size = 0;
  let containers = 0;
  for (let at = pending.pop(); at !== undefined && size <= limit; at = pending.pop()) {
    draft.settle(at);
    size += isJsonArray(at) ? yield* itemsSize(at, pending) : yield* membersSize(at, pending, draft);
    if ((++containers & STRIDE) === STRIDE) yield;
  }
  return size;
}

/** The bytes of a list, without those of containers in it. */
function* itemsSize(list: readonly JsonValue[], pending: JsonContainer[]): Steps<number> {
  let size = Math.max(2, list.length + 1);
  for (let i = 0; i < list.length; i++) {
    const item = list[i] as JsonValue;
    if (isContainer(item)) pending.push(item);
    else size += scalarSize(item);
    if ((i & STRIDE) === STRIDE) yield;
  }
  return size;
}

/** The bytes of an object, without those of containers in it. */
function* membersSize(object: JsonObject, pending: JsonContainer[], draft: CopiedDraft): Steps<number> {
  const { bytes, containers } = draft.measured(object) ?? (yield* measure(object, draft));
  for (const name of containers) pending.push(object[name] as JsonContainer);
  return bytes;
}

/** Objects with fewer members are measured again each time. */
const MANY_MEMBERS = 64;

function* measure(object: JsonObject, draft: CopiedDraft): Steps<MeasuredMembers> {
  const containers: string[] = [];
  let bytes = 0;
  let count = 0;
  for (const key in object) {
    const value = object[key];
    bytes += textSize(key) + 1;
    if (isContainer(value)) containers.push(key);
    else if (value !== undefined) bytes += scalarSize(value);
    if ((++count & STRIDE) === STRIDE) yield;
  }
  const members = { bytes: bytes + Math.max(2, count + 1), containers };
  if (count >= MANY_MEMBERS) draft.noteMeasure(object, members);
  return members;
}

interface Pending {
  readonly original: JsonContainer;
  readonly copy: OwnContainer;
}

function* copied(value: JsonContainer, draft: CopiedDraft): Steps<JsonValue> {
  const pending: Pending[] = [];
  const copy = copyOf(value, pending, draft);
  let containers = 0;
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (isJsonArray(at.original)) yield* copyItems(at.original, at.copy as JsonValue[], pending, draft);
    else yield* copyMembers(at.original, at.copy as Record<string, JsonValue | undefined>, pending, draft);
    draft.noteCopy(at.copy, at.original);
    if ((++containers & STRIDE) === STRIDE) yield;
  }
  return copy;
}

/** What stands in a copy for a value of the original: a container to be filled later, or the value itself. */
function copyOf(value: JsonValue, pending: Pending[], draft: CopiedDraft): JsonValue {
  if (!isContainer(value)) return value;
  if (isJsonArray(value) && !value.some(isContainer)) {
    draft.share(value);
    return value;
  }
  const copy: OwnContainer = isJsonArray(value) ? [] : {};
  pending.push({ original: value, copy });
  return copy as JsonValue;
}

function* copyItems(
  original: readonly JsonValue[],
  copy: JsonValue[],
  pending: Pending[],
  draft: CopiedDraft,
): Steps<void> {
  for (let i = 0; i < original.length; i++) {
    copy.push(copyOf(original[i] as JsonValue, pending, draft));
    if ((i & STRIDE) === STRIDE) yield;
  }
}

function* copyMembers(
  original: JsonObject,
  copy: Record<string, JsonValue | undefined>,
  pending: Pending[],
  draft: CopiedDraft,
): Steps<void> {
  let count = 0;
  for (const key in original) {
    const value = original[key];
    setMember(copy, key, value === undefined ? value : copyOf(value, pending, draft));
    if ((++count & STRIDE) === STRIDE) yield;
  }
}

function scalarSize(value: JsonValue): number {
  if (typeof value === 'string') return textSize(value);
  return isDigit(value) ? 1 : String(value).length;
}

const isDigit = (value: JsonValue): boolean =>
  typeof value === 'number' && value >= 0 && value <= 9 && Number.isInteger(value);

const encoder = new TextEncoder();

function textSize(text: string): number {
  for (let i = 0; i < text.length; i++) {
    if (!isPlain(text.charCodeAt(i))) return escapedSize(text);
  }
  return text.length + 2;
}

/** Whether a character takes one byte in JSON. */
const isPlain = (code: number): boolean => code >= 0x20 && code < 0x80 && code !== 0x22 && code !== 0x5c;

function escapedSize(text: string): number {
  return encoder.encode(JSON.stringify(text)).length;
}
