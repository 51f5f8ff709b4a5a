import {
  integerErrorText,
  isJsonArray,
  type JsonObject,
  type JsonValue,
  ownMember,
  parseInt64,
  setMember,
} from '@ashlar/core';

/** An array or object that a JSON pointer's token can enter. */
export type JsonContainer = readonly JsonValue[] | JsonObject;

/** A container that belongs to the running patch alone, so that it may be written. */
export type OwnContainer = JsonValue[] | Record<string, JsonValue | undefined>;

/** What stands in the way of an operation inside a container; the operation says where. */
export class ContainerError extends Error {
  override readonly name: string = 'ContainerError';
}

/** Whether a value can be entered. */
export function isContainer(value: JsonValue | undefined): value is JsonContainer {
  return typeof value === 'object' && value !== null;
}

/** A copy of one level; what is below stays shared. */
export function copyContainer(container: JsonContainer): OwnContainer {
  return isJsonArray(container) ? [...container] : { ...container };
}

/** The value at a key or index; undefined for an absent key. Throws ContainerError for an index that is none or outside. */
export function readMember(container: JsonContainer, token: string): JsonValue | undefined {
  return isJsonArray(container) ? container[existingIndex(container, token)] : ownMember(container, token);
}

/** Adds a member, or inserts an item before the index; `-` appends. */
export function addMember(container: OwnContainer, token: string, value: JsonValue): void {
  if (Array.isArray(container)) container.splice(insertionIndex(container, token), 0, value);
  else setMember(container, token, value);
}

/** Puts a value in the place of one that exists. */
export function replaceMember(container: OwnContainer, token: string, value: JsonValue): void {
  if (Array.isArray(container)) container[existingIndex(container, token)] = value;
  else setMember(container, token, value);
}

/** Takes an existing member or item out. */
export function removeMember(container: OwnContainer, token: string): void {
  if (Array.isArray(container)) container.splice(existingIndex(container, token), 1);
  else if (ownMember(container, token) === undefined)
    throw new ContainerError(`Unable to remove nonexistent key: ${token}: missing value`);
  else delete container[token];
}

function existingIndex(array: readonly JsonValue[], token: string): number {
  return withinBounds(parseIndex(token), array.length, array.length - 1);
}

function insertionIndex(array: readonly JsonValue[], token: string): number {
  if (token === '-') return array.length;
  const index = parseIndex(token, `value was not a proper array index: '${token}': `);
  // A negative index counts from behind the place where an item would be appended.
  return withinBounds(index, array.length + 1, array.length);
}

function withinBounds(index: bigint, size: number, last: number): number {
  if (index > last || index < -size)
    throw new ContainerError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return Number(index) + (index < 0 ? size : 0);
}

/** Signs and leading zeros are read, which RFC 6901 has not (semantics G1: negative indices count from the end). */
function parseIndex(token: string, where = ''): bigint {
  const index = parseInt64(token);
  if (index === undefined) throw new ContainerError(`${where}${integerErrorText('Atoi', token)}`);
  return index;
}
