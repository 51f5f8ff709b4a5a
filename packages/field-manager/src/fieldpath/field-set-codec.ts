import {
  CodedError,
  doneSteps,
  isEmptyObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Steps,
} from '@ashlar/core';
import { type FieldType, type Parts, partsOf, typeOfPart } from '../typed/field-type.ts';
import { ItemShapes } from '../values/item-shapes.ts';
import { effortFor, isDue, isLarge, namesOf } from '../values/large-parts.ts';
import { type FieldNode, FieldSet } from './field-set.ts';
import { unionAllSteps } from './field-set-steps.ts';
import { comparePathElements, type PathElement, PathElementError, parsePathElement } from './path-element.ts';

/** FieldsV1 that is not a valid field set. */
export class FieldSetError extends CodedError {
  static override readonly code: string = 'ERR_FIELD_SET';
  override readonly name: string = 'FieldSetError';
}

const MAXIMUM_DEPTH = 1000;

/**
 * Decodes FieldsV1 (semantics/apply#fieldsv1): keys are path elements, `.` says that the element itself is a
 * member, and so does an object without known keys. Elements of an unknown kind are skipped; null stands for
 * the empty object.
 *
 * @throws FieldSetError for values that are not objects and keys that are not path elements
 *
 * @example
 * decodeFieldSet({ 'f:spec': { 'f:replicas': {} } }).has(fieldPath('spec', 'replicas')); // true
 */
export function decodeFieldSet(fields: JsonValue): FieldSet {
  return runAtOnce(decodeFieldSetSteps(fields));
}

/**
 * {@link decodeFieldSet} that pauses.
 *
 * @throws FieldSetError as {@link decodeFieldSet} does
 */
export function* decodeFieldSetSteps(fields: JsonValue): Steps<FieldSet> {
  return (yield* decodeLevel(fields, 0)).children;
}

interface Level {
  readonly children: FieldSet;
  readonly isMember: boolean;
}

const NO_LEVEL: Level = { children: FieldSet.EMPTY, isMember: true };

function* decodeLevel(fields: JsonValue, depth: number): Steps<Level> {
  if (fields === null) return NO_LEVEL;
  if (!isJsonObject(fields)) throw new FieldSetError('expected an object');
  if (depth > MAXIMUM_DEPTH) throw new FieldSetError('exceeded max depth');
  const found = new Repetitions();
  for (const key of namesOf(fields)) {
    if (isDue(effortForKey(key))) yield;
    const below = fields[key];
    const element = key === '.' || below === undefined ? undefined : readElement(key);
    if (element) found.add({ element, ...(yield* decodeBelow(below as JsonValue, depth + 1)) });
  }
  const children = yield* FieldSet.ofNodesSteps(yield* found.unite());
  return { children, isMember: Object.hasOwn(fields, '.') || children.isEmpty };
}

/** Most elements have nothing below them. */
function* decodeBelow(below: JsonValue, depth: number): Steps<Level> {
  return isJsonObject(below) && isEmptyObject(below) ? NO_LEVEL : yield* decodeLevel(below, depth);
}

/** The nodes of a level. Different keys may spell one element, such as `v:1` and `v:1.0`. */
class Repetitions {
  readonly #nodes: Map<string, FieldNode> = new Map();
  readonly #repeated: Map<string, FieldNode[]> = new Map();

  add(node: FieldNode): void {
    const { text } = node.element;
    const first = this.#nodes.get(text);
    if (!first) this.#nodes.set(text, node);
    else {
      const others = this.#repeated.get(text);
      if (others) others.push(node);
      else this.#repeated.set(text, [first, node]);
    }
  }

  *unite(): Steps<readonly FieldNode[]> {
    for (const [text, nodes] of this.#repeated) {
      const children = yield* unionAllSteps(nodes.map((node) => node.children));
      const isMember = nodes.some((node) => node.isMember);
      this.#nodes.set(text, { element: (nodes[0] as FieldNode).element, isMember, children });
    }
    return [...this.#nodes.values()];
  }
}

/** Work units of reading a key: long ones are parsed, and printed again. */
const effortForKey = (key: string): number => 1 + (key.length >> 6);

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
 * The set of canonical FieldsV1: what {@link encodeFieldSet} returns, and nothing below atomic fields of the
 * type. Levels are decoded on demand. Undefined for what has to be decoded, and reconciled with the type,
 * first.
 */
export function readSettledFieldSet(fields: JsonObject, type: FieldType): Steps<FieldSet | undefined> {
  if (isLarge(fields)) return readLargeSettled(fields, type);
  return doneSteps(isSettled(fields, type, 0) ? settledSet(fields) : undefined);
}

function* readLargeSettled(fields: JsonObject, type: FieldType): Steps<FieldSet | undefined> {
  return (yield* isSettledSteps(fields, type, 0)) ? settledSet(fields) : undefined;
}

function settledSet(fields: JsonObject): FieldSet | undefined {
  if (Object.hasOwn(fields, '.')) return undefined;
  return isEmptyObject(fields) ? FieldSet.EMPTY : writtenSet(fields);
}

function isSettled(fields: JsonObject, type: FieldType | undefined, depth: number): boolean {
  const level = new SettledLevel(fields, type, depth);
  if (!level.isFitting) return false;
  for (const key in fields) {
    const element = level.next(key);
    if (!element) return false;
    if (element !== ITSELF && !isSettled(fields[key] as JsonObject, level.typeOf(element), depth + 1))
      return false;
  }
  return true;
}

function* isSettledSteps(fields: JsonObject, type: FieldType | undefined, depth: number): Steps<boolean> {
  const level = new SettledLevel(fields, type, depth);
  if (!level.isFitting) return false;
  // Items of a list have one type, and mostly the same fields.
  const settledItems = new ItemShapes<true>();
  for (const key of namesOf(fields)) {
    const element = level.next(key);
    if (!element) return false;
    const below = fields[key] as JsonObject;
    if (isDue(effortFor(below) + effortForKey(key))) yield;
    if (element === ITSELF || (element.kind === 'key' && settledItems.get(below))) continue;
    const elementType = level.typeOf(element);
    const isFine = isLarge(below)
      ? yield* isSettledSteps(below, elementType, depth + 1)
      : isSettled(below, elementType, depth + 1);
    if (!isFine) return false;
    if (element.kind === 'key') settledItems.keep(below, true);
  }
  return true;
}

/** Stands for the key `.`. */
const ITSELF = '.';

/** One level of FieldsV1, checked key by key. */
class SettledLevel {
  readonly isFitting: boolean;
  readonly #fields: JsonObject;
  readonly #parts: Parts | undefined;
  #last: PathElement | undefined;

  constructor(fields: JsonObject, type: FieldType | undefined, depth: number) {
    this.#fields = fields;
    this.#parts = type && partsOf(type);
    this.isFitting = depth <= MAXIMUM_DEPTH && !(this.#parts?.isAtomic && !isEmptyObject(fields));
  }

  /** The element of the next key; undefined if its spelling is not canonical. */
  next(key: string): PathElement | typeof ITSELF | undefined {
    const below = this.#fields[key];
    if (!isJsonObject(below)) return undefined;
    // Alone it says nothing.
    if (key === ITSELF)
      return !this.#last && isEmptyObject(below) && hasOthers(this.#fields) ? ITSELF : undefined;
    const element = elementOf(key);
    if (element?.text !== key || (this.#last && comparePathElements(this.#last, element) >= 0))
      return undefined;
    this.#last = element;
    return element;
  }

  typeOf(element: PathElement): FieldType | undefined {
    return this.#parts && typeOfPart(this.#parts, element);
  }
}

function hasOthers(fields: JsonObject): boolean {
  if (isLarge(fields)) return true;
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
  const namesItself = Object.hasOwn(json, '.');
  return FieldSet.ofWritten({
    json,
    namesItself,
    read: () => readLevel(json),
    readSteps: () => readLevelSteps(json),
  });
}

function readLevel(fields: JsonObject): FieldNode[] {
  const nodes: FieldNode[] = [];
  for (const key in fields) {
    const element = key === '.' ? undefined : parsePathElement(key);
    if (element) nodes.push(readNode(element, fields[key] as JsonObject));
  }
  return nodes;
}

function* readLevelSteps(fields: JsonObject): Steps<FieldNode[]> {
  const nodes: FieldNode[] = [];
  for (const key of namesOf(fields)) {
    if (isDue(effortForKey(key))) yield;
    const element = key === '.' ? undefined : parsePathElement(key);
    if (element) nodes.push(readNode(element, fields[key] as JsonObject));
  }
  return nodes;
}

function readNode(element: PathElement, below: JsonObject): FieldNode {
  if (isEmptyObject(below)) return { element, isMember: true, children: FieldSet.EMPTY };
  return { element, isMember: Object.hasOwn(below, '.'), children: writtenSet(below) };
}

/** Writes a field set as FieldsV1, keys in canonical order. */
export function encodeFieldSet(set: FieldSet): JsonObject {
  return encodeSet(set, false);
}

/** {@link encodeFieldSet} that pauses where the set is large. */
export function encodeFieldSetSteps(set: FieldSet): Steps<JsonObject> {
  return set.isLarge ? encodeSetSteps(set, false) : doneSteps(encodeSet(set, false));
}

function encodeSet(set: FieldSet, namesItself: boolean): JsonObject {
  const { written } = set;
  if (written?.namesItself === namesItself) return written.json;
  const json = emptyLevel(namesItself);
  for (const { element, isMember, children } of set.nodes)
    json[element.text] = children.isEmpty ? NOTHING : encodeSet(children, isMember);
  return keepWritten(set, json, namesItself);
}

function* encodeSetSteps(set: FieldSet, namesItself: boolean): Steps<JsonObject> {
  if (!set.isLarge || set.written?.namesItself === namesItself) return encodeSet(set, namesItself);
  const json = emptyLevel(namesItself);
  for (const { element, isMember, children } of yield* set.nodesSteps()) {
    if (isDue()) yield;
    if (children.isEmpty) json[element.text] = NOTHING;
    else if (children.isLarge) json[element.text] = yield* encodeSetSteps(children, isMember);
    else json[element.text] = encodeSet(children, isMember);
  }
  return keepWritten(set, json, namesItself);
}

const emptyLevel = (namesItself: boolean): Record<string, JsonValue> => (namesItself ? { '.': NOTHING } : {});

function keepWritten(set: FieldSet, json: JsonObject, namesItself: boolean): JsonObject {
  set.keepWritten({ json, namesItself, read: () => set.nodes, readSteps: () => set.nodesSteps() });
  return json;
}

const NOTHING: JsonObject = Object.freeze({});
