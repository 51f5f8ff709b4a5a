import { isJsonArray, type JsonObject, type JsonValue, type Steps, setMember } from '@ashlar/core';
import { isContainer, type JsonContainer, type OwnContainer } from './json-container.ts';

export interface SizedCopy {
  /** Complete up to the limit only. */
  readonly value: JsonValue;
  /** Bytes as JSON; above the limit some larger number. */
  readonly size: number;
}

/** A draft whose containers are copied. */
export interface CopiedDraft {
  /** Called before a container is copied. */
  settle(original: JsonContainer): void;
  /** Called for each container that was copied. */
  noteCopy(copy: OwnContainer, original: JsonContainer): void;
}

interface Pending {
  readonly original: JsonContainer;
  readonly copy: OwnContainer;
}

/** Members of a container, and containers, between two pauses, as a mask. */
const STRIDE = 1023;

/**
 * A copy of a value with copies of all containers in it, with pauses. Each member is read once: for the copy and for its size.
 * @param limit maximum size in bytes of JSON, beyond which the copy ends
 */
export function* copyWithin(value: JsonValue, limit: number, draft: CopiedDraft): Steps<SizedCopy> {
  if (!isContainer(value)) return { value, size: scalarSize(value) };
  const whole = begunCopy(value);
  const pending: Pending[] = [whole];
  let size = 0;
  let containers = 0;
  for (let at = pending.pop(); at !== undefined && size <= limit; at = pending.pop()) {
    const { original, copy } = at;
    draft.settle(original);
    size += isJsonArray(original)
      ? yield* copyItems(original, copy as JsonValue[], pending)
      : yield* copyMembers(original, copy as Record<string, JsonValue | undefined>, pending);
    draft.noteCopy(copy, original);
    if ((++containers & STRIDE) === STRIDE) yield;
  }
  return { value: whole.copy as JsonValue, size };
}

const begunCopy = (original: JsonContainer): Pending => ({
  original,
  copy: isJsonArray(original) ? [] : {},
});

/** Returns the bytes of the list, without those of containers in it. */
function* copyItems(original: readonly JsonValue[], copy: JsonValue[], pending: Pending[]): Steps<number> {
  const { length } = original;
  let size = Math.max(2, length + 1);
  for (let i = 0; i < length; i++) {
    const item = original[i] as JsonValue;
    if (!isContainer(item)) {
      copy.push(item);
      size += scalarSize(item);
    } else {
      const begun = begunCopy(item);
      copy.push(begun.copy as JsonValue);
      pending.push(begun);
    }
    if ((i & STRIDE) === STRIDE) yield;
  }
  return size;
}

/** Returns the bytes of the object, without those of containers in it. */
function* copyMembers(
  original: JsonObject,
  copy: Record<string, JsonValue | undefined>,
  pending: Pending[],
): Steps<number> {
  let size = 0;
  let count = 0;
  for (const key in original) {
    const value = original[key];
    size += textSize(key) + 1;
    if (!isContainer(value)) {
      setMember(copy, key, value);
      size += value === undefined ? 0 : scalarSize(value);
    } else {
      const begun = begunCopy(value);
      setMember(copy, key, begun.copy);
      pending.push(begun);
    }
    if ((++count & STRIDE) === STRIDE) yield;
  }
  return size + Math.max(2, count + 1);
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
