import {
  integerErrorText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  parseInt64,
  setMember,
} from '@ashlar/core';

/** An array or object that a token of a JSON pointer can enter. */
export type JsonContainer = readonly JsonValue[] | JsonObject;

/** A container owned by the running patch, so that it may be written. */
export type OwnContainer = JsonValue[] | Record<string, JsonValue | undefined>;

/** Why an operation on a container fails; the operation adds its position. */
export class ContainerError extends Error {
  override readonly name: string = 'ContainerError';
}

/** Whether a value can be entered. */
export function isContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

export interface ContainerCopy {
  readonly copy: OwnContainer;
  /** Number of members. */
  readonly size: number;
}

/** A shallow copy, with the number of its members. */
export function copyContainer(container: JsonContainer): ContainerCopy {
  if (isJsonArray(container)) return { copy: container.slice(), size: container.length };
  const copy: Record<string, JsonValue | undefined> = {};
  let size = 0;
  for (const key in container) {
    setMember(copy, key, container[key]);
    size++;
  }
  return { copy, size };
}

/**
 * The list index of a token.
 * @throws ContainerError for an index that is invalid or outside
 */
export function existingIndex(length: number, token: string): number {
  return withinBounds(parseIndex(token), length, length - 1);
}

/** The index before which to insert; `-` appends. */
export function insertionIndex(length: number, token: string): number {
  if (token === '-') return length;
  const index = parseIndex(token, `value was not a proper array index: '${token}': `);
  // A negative index counts back from the end, where an item would be appended.
  return withinBounds(index, length + 1, length);
}

function withinBounds(index: bigint, size: number, last: number): number {
  if (index > last || index < -size)
    throw new ContainerError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return Number(index) + (index < 0 ? size : 0);
}

/**
 * Accepts signs and leading zeros, unlike RFC 6901 (semantics/patches#json-patch: negative indices count from
 * the end).
 */
function parseIndex(token: string, where = ''): bigint {
  const index = parseInt64(token);
  if (index === undefined) throw new ContainerError(`${where}${integerErrorText('Atoi', token)}`);
  return index;
}
