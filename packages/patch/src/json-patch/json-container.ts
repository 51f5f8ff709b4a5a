import {
  integerErrorText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  parseInt64,
  setMember,
} from '@ashlar/core';

/** An array or object that a JSON pointer's token can enter. */
export type JsonContainer = readonly JsonValue[] | JsonObject;

/** A container that belongs to the running patch alone, so that it may be written. */
export type OwnContainer = JsonValue[] | Record<string, JsonValue | undefined>;

/** Why an operation inside a container fails; the operation adds its position. */
export class ContainerError extends Error {
  override readonly name: string = 'ContainerError';
}

/** Whether a value can be entered. */
export function isContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

/** A copy of one level; what is below stays shared. */
export function copyContainer(container: JsonContainer): OwnContainer {
  if (isJsonArray(container)) return container.slice();
  const copy: Record<string, JsonValue | undefined> = {};
  for (const key in container) setMember(copy, key, container[key]);
  return copy;
}

/**
 * The index that a token names in a list of a length.
 * @throws ContainerError for an index that is none or outside
 */
export function existingIndex(length: number, token: string): number {
  return withinBounds(parseIndex(token), length, length - 1);
}

/** The same, where an item is to be inserted before it; `-` is behind the last. */
export function insertionIndex(length: number, token: string): number {
  if (token === '-') return length;
  const index = parseIndex(token, `value was not a proper array index: '${token}': `);
  // A negative index counts from behind the place where an item would be appended.
  return withinBounds(index, length + 1, length);
}

function withinBounds(index: bigint, size: number, last: number): number {
  if (index > last || index < -size)
    throw new ContainerError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return Number(index) + (index < 0 ? size : 0);
}

/** Signs and leading zeros are read, which RFC 6901 has not (semantics/patches#json-patch: negative indices count from the end). */
function parseIndex(token: string, where = ''): bigint {
  const index = parseInt64(token);
  if (index === undefined) throw new ContainerError(`${where}${integerErrorText('Atoi', token)}`);
  return index;
}
