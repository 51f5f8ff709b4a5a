import {
  type FieldError,
  FieldErrors,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  type Schema,
} from '@ashlar/core';
import { printedComposite } from './composite-text.ts';
import { canonicalText } from './scalar-checks.ts';
import { printed } from './value-errors.ts';

/** Finds what stands twice in the lists of a value. */
export type UniquenessCheck = (value: JsonValue) => readonly FieldError[];

type NodeCheck = (value: JsonValue, path: string, errors: FieldError[]) => void;

/**
 * Compiles the uniqueness of lists of the types `set` and `map` (semantics H5): each value that is repeated gives one error, at
 * its second occurrence. Schemas without such lists cost nothing.
 */
export function compileUniqueness(schema: Schema): UniquenessCheck {
  const node = compileNode(schema);
  return (value) => {
    const errors: FieldError[] = [];
    node?.(value, '', errors);
    return errors;
  };
}

function compileNode(schema: Schema): NodeCheck | undefined {
  const list = listCheck(schema);
  const members = memberCheck(schema);
  if (!list && !members) return undefined;
  return (value, path, errors) => {
    if (Array.isArray(value)) list?.(value, path, errors);
    else if (isJsonObject(value)) members?.(value, path, errors);
  };
}

function memberCheck({ properties = {}, additionalProperties }: Schema): NodeCheck | undefined {
  const nodes = new Map<string, NodeCheck>();
  for (const [name, part] of Object.entries(properties)) {
    const node = compileNode(part);
    if (node) nodes.set(name, node);
  }
  const other = typeof additionalProperties === 'object' ? compileNode(additionalProperties) : undefined;
  if (nodes.size === 0 && !other) return undefined;
  return (value, path, errors) => {
    const object = value as JsonObject;
    for (const [key, node] of nodes) {
      const member = ownMember(object, key);
      if (member !== undefined) node(member, path === '' ? key : `${path}.${key}`, errors);
    }
    if (!other) return;
    for (const key in object) {
      const member = object[key];
      if (member !== undefined) other(member, `${path}[${key}]`, errors);
    }
  };
}

function listCheck(schema: Schema): NodeCheck | undefined {
  const inside = schema.items && compileNode(schema.items);
  const own = ownCheck(schema);
  if (!inside && !own) return undefined;
  return (value, path, errors) => {
    const list = value as readonly JsonValue[];
    own?.(list, path, errors);
    if (inside) for (let i = 0; i < list.length; i++) inside(list[i] as JsonValue, `${path}[${i}]`, errors);
  };
}

function ownCheck(schema: Schema): NodeCheck | undefined {
  switch (schema.listType) {
    case 'set':
      return (value, path, errors) => setErrors(value as readonly JsonValue[], path, errors);
    case 'map':
      return (value, path, errors) =>
        mapErrors(value as readonly JsonValue[], schema.listMapKeys ?? [], path, errors);
    default:
      return undefined;
  }
}

function setErrors(list: readonly JsonValue[], path: string, errors: FieldError[]): void {
  if (isShortAndDistinct(list, undefined)) return;
  for (const index of secondOccurrences(list)) {
    const value = printedComposite(list[index] as JsonValue);
    errors.push(FieldErrors.duplicate(`${path}[${index}]`, printed(value)));
  }
}

function mapErrors(
  list: readonly JsonValue[],
  keys: readonly string[],
  path: string,
  errors: FieldError[],
): void {
  if (keys.length === 1 && isShortAndDistinct(list, keys[0])) return;
  const wrong = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const text = 'must be an object for an array of list-type map';
    errors.push(FieldErrors.invalid(`${path}[${wrong}]`, printed(list[wrong]), text));
    return;
  }
  const identities = list.map((item) => keyIdentity(item as JsonObject | null, keys));
  for (const index of secondOccurrences(identities)) {
    const identity = printedComposite(keysOf(list[index] as JsonObject | null, keys));
    errors.push(FieldErrors.duplicate(`${path}[${index}]`, identity));
  }
}

/** Lists up to this length are looked through pair by pair. */
const SHORT = 16;

/** Whether texts, or the texts that items have under a key, are few and all different; false where that is not to be seen at once. */
function isShortAndDistinct(list: readonly JsonValue[], key: string | undefined): boolean {
  if (list.length > SHORT) return false;
  for (let i = 0; i < list.length; i++) {
    const text = textAt(list, i, key);
    if (text === undefined) return false;
    for (let j = 0; j < i; j++) if (textAt(list, j, key) === text) return false;
  }
  return true;
}

function textAt(list: readonly JsonValue[], index: number, key: string | undefined): string | undefined {
  const item = list[index] as JsonValue;
  const text = key === undefined ? item : isJsonObject(item) ? ownMember(item, key) : undefined;
  return typeof text === 'string' ? text : undefined;
}

const member = (item: JsonObject | null, key: string): JsonValue | undefined =>
  item ? ownMember(item, key) : undefined;

/** A text that two items share when their keys are equal. */
function keyIdentity(item: JsonObject | null, keys: readonly string[]): string {
  let identity = '';
  for (const key of keys) {
    const value = member(item, key);
    if (value !== undefined)
      identity += typeof value === 'string' ? JSON.stringify(value) : canonicalText(value);
    identity += ',';
  }
  return identity;
}

/** Keys that an item lacks, it lacks here too: two items that lack the same are alike. */
function keysOf(item: JsonObject | null, keys: readonly string[]): JsonObject {
  const own: Record<string, JsonValue> = {};
  for (const key of keys) {
    const value = member(item, key);
    if (value !== undefined) own[key] = value;
  }
  return own;
}

function secondOccurrences(list: readonly JsonValue[]): readonly number[] {
  const seen = new Map<JsonValue, number>();
  const found: number[] = [];
  for (const [index, item] of list.entries()) {
    const isComposite = typeof item === 'object' && item !== null;
    // Composites are told apart from the strings that spell them.
    const identity = isComposite ? `{${canonicalText(item)}` : typeof item === 'string' ? `"${item}` : item;
    const times = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, times);
    if (times === 2) found.push(index);
  }
  return found;
}
