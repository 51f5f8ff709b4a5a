import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { type FieldNode, FieldSet } from './field-set.ts';
import { type PathElement, PathElementError, parsePathElement } from './path-element.ts';

/** FieldsV1 that does not read as a field set. */
export class FieldSetError extends Error {
  override readonly name: string = 'FieldSetError';
}

const MAXIMUM_DEPTH = 1000;

/**
 * Reads FieldsV1 (semantics F1): keys are path elements, `.` says that the element itself is a member, and so does an object without
 * known keys. Elements of an unknown kind are left out; null stands for the empty object.
 *
 * @throws FieldSetError for values that are no object and keys that are no path element
 *
 * @example
 * decodeFieldSet({ 'f:spec': { 'f:replicas': {} } }).has(fieldPath('spec', 'replicas')); // true
 */
export function decodeFieldSet(fields: JsonValue): FieldSet {
  if (!isJsonObject(fields)) return decodeLevel(fields, 0).children;
  const known = decoded.get(fields);
  if (known) return known;
  const set = decodeLevel(fields, 0).children;
  decoded.set(fields, set);
  return set;
}

/** Values are immutable: what one object of FieldsV1 says is read once, and what one set comes to is written once. */
const decoded: WeakMap<JsonObject, FieldSet> = new WeakMap();
const encoded: WeakMap<FieldSet, JsonObject> = new WeakMap();

interface Level {
  readonly children: FieldSet;
  readonly isMember: boolean;
}

function decodeLevel(fields: JsonValue, depth: number): Level {
  if (fields === null) return { children: FieldSet.EMPTY, isMember: true };
  if (!isJsonObject(fields)) throw new FieldSetError('expected an object');
  if (depth > MAXIMUM_DEPTH) throw new FieldSetError('exceeded max depth');
  const nodes: FieldNode[] = [];
  for (const [key, below] of Object.entries(fields)) {
    const element = key === '.' || below === undefined ? undefined : readElement(key);
    if (element) nodes.push({ element, ...decodeLevel(below as JsonValue, depth + 1) });
  }
  const children = FieldSet.ofNodes(withoutRepetitions(nodes));
  return { children, isMember: Object.hasOwn(fields, '.') || children.isEmpty };
}

/** Different keys may spell one element, such as `v:1` and `v:1.0`. */
function withoutRepetitions(nodes: readonly FieldNode[]): FieldNode[] {
  const byText = new Map<string, FieldNode>();
  for (const node of nodes) {
    const other = byText.get(node.element.text);
    const merged = other ? FieldSet.ofNodes([other]).union(FieldSet.ofNodes([node])).nodes[0] : node;
    if (merged) byText.set(node.element.text, merged);
  }
  return [...byText.values()];
}

function readElement(key: string): PathElement | undefined {
  try {
    return parsePathElement(key);
  } catch (error) {
    if (error instanceof PathElementError)
      throw new FieldSetError(`parsing key as path element: ${error.message}`);
    throw error;
  }
}

/** Writes a field set as FieldsV1, keys in canonical order. */
export function encodeFieldSet(set: FieldSet): JsonObject {
  const known = encoded.get(set);
  if (known) return known;
  const fields = encodeNodes(set, {});
  encoded.set(set, fields);
  decoded.set(fields, set);
  return fields;
}

function encodeNodes(set: FieldSet, fields: Record<string, JsonValue>): JsonObject {
  for (const { element, isMember, children } of set.nodes) {
    const own: Record<string, JsonValue> = isMember && !children.isEmpty ? { '.': {} } : {};
    fields[element.text] = encodeNodes(children, own);
  }
  return fields;
}
