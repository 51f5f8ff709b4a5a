import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { type FieldNode, FieldSet } from './field-set.ts';
import { type FieldType, partsOf, typeOfPart } from './field-type.ts';
import { comparePathElements, type PathElement, PathElementError, parsePathElement } from './path-element.ts';

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
  return decodeLevel(fields, 0).children;
}

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

/**
 * The set of FieldsV1 in which nothing is amiss: what {@link encodeFieldSet} writes, and nothing in it that the type owns as a whole
 * only. Levels are read when somebody looks at them. Undefined for what has to be decoded, and fitted to the type, first.
 */
export function readSettledFieldSet(fields: JsonObject, type: FieldType): FieldSet | undefined {
  if (!isSettled(fields, type, 0) || Object.hasOwn(fields, '.')) return undefined;
  return isBare(fields) ? FieldSet.EMPTY : writtenSet(fields);
}

function isSettled(fields: JsonObject, type: FieldType | undefined, depth: number): boolean {
  const known = type && partsOf(type);
  if (depth > MAXIMUM_DEPTH || (known?.isAtomic && !isBare(fields))) return false;
  let last: PathElement | undefined;
  for (const key in fields) {
    const below = fields[key];
    if (!isJsonObject(below)) return false;
    if (key === '.') {
      // Alone it says nothing.
      if (last || !isBare(below) || !hasOthers(fields)) return false;
      continue;
    }
    const element = elementOf(key);
    if (element?.text !== key || (last && comparePathElements(last, element) >= 0)) return false;
    last = element;
    if (!isSettled(below, known && typeOfPart(known, element), depth + 1)) return false;
  }
  return true;
}

function isBare(fields: JsonObject): boolean {
  for (const _ in fields) return false;
  return true;
}

function hasOthers(fields: JsonObject): boolean {
  for (const key in fields) if (key !== '.') return true;
  return false;
}

function elementOf(key: string): PathElement | undefined {
  try {
    return parsePathElement(key);
  } catch (error) {
    if (error instanceof PathElementError) return undefined;
    throw error;
  }
}

function writtenSet(json: JsonObject): FieldSet {
  return FieldSet.ofWritten({ json, namesItself: Object.hasOwn(json, '.'), read: () => readLevel(json) });
}

function readLevel(fields: JsonObject): FieldNode[] {
  const nodes: FieldNode[] = [];
  for (const key in fields) {
    const element = key === '.' ? undefined : parsePathElement(key);
    if (element) nodes.push(readNode(element, fields[key] as JsonObject));
  }
  return nodes;
}

function readNode(element: PathElement, below: JsonObject): FieldNode {
  if (isBare(below)) return { element, isMember: true, children: FieldSet.EMPTY };
  return { element, isMember: Object.hasOwn(below, '.'), children: writtenSet(below) };
}

/** Writes a field set as FieldsV1, keys in canonical order. */
export function encodeFieldSet(set: FieldSet): JsonObject {
  return encodeSet(set, false);
}

function encodeSet(set: FieldSet, namesItself: boolean): JsonObject {
  const { written } = set;
  if (written?.namesItself === namesItself) return written.json;
  const json: Record<string, JsonValue> = namesItself ? { '.': NOTHING } : {};
  for (const { element, isMember, children } of set.nodes)
    json[element.text] = children.isEmpty ? NOTHING : encodeSet(children, isMember);
  set.keepWritten({ json, namesItself, read: () => set.nodes });
  return json;
}

const NOTHING: JsonObject = Object.freeze({});
