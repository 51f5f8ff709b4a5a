import { CodedError, compareUtf8, type JsonValue } from '@ashlar/core';
import { compareValues } from '../values/compare-values.ts';
import { JsonPrefixError, readJsonPrefix, readMembersPrefix } from '../values/json-prefix.ts';
import { displayText, jsonText } from '../values/value-text.ts';
import { ElementCache } from './element-cache.ts';

/** The key fields of an item of a list map, sorted by name. */
export type KeyFields = readonly KeyField[];

type KeyField = readonly [name: string, value: JsonValue];

interface ElementText {
  /** As a key of FieldsV1: `f:spec`, `k:{"name":"a"}`, `v:1`, `i:0`. */
  readonly text: string;
  /** Whether it was parsed from such a text, where every number is a decimal. */
  readonly fromText: boolean;
}

/** One step of a path (semantics/apply#fieldsv1). */
export type PathElement = ElementText &
  (
    | { readonly kind: 'field'; readonly name: string }
    | { readonly kind: 'key'; readonly fields: KeyFields }
    | { readonly kind: 'value'; readonly value: JsonValue }
    | { readonly kind: 'index'; readonly index: number }
  );

/** A path to a part of an object: steps from its root. */
export type FieldPath = readonly PathElement[];

const fields: ElementCache<PathElement> = new ElementCache();
const parsed: ElementCache<PathElement> = new ElementCache();
const quotedNames: ElementCache<string> = new ElementCache();

/** A field of an object, or a key of a map. */
export function fieldElement(name: string): PathElement {
  return fields.get(name) ?? fields.add(name, { kind: 'field', name, text: `f:${name}`, fromText: false });
}

/** An item of a list map. */
export function keyElement(fields: KeyFields, fromText = false): PathElement {
  if (fields.length === 1)
    return { kind: 'key', fields, text: `k:{${memberText(fields[0] as KeyField)}}`, fromText };
  const sorted = isSorted(fields) ? fields : fields.toSorted(([a], [b]) => compareUtf8(a, b));
  return { kind: 'key', fields: sorted, text: `k:{${sorted.map(memberText).join(',')}}`, fromText };
}

/** Most definitions name their keys in order. */
function isSorted(fields: KeyFields): boolean {
  for (let i = 1; i < fields.length; i++)
    if (compareUtf8((fields[i - 1] as KeyField)[0], (fields[i] as KeyField)[0]) > 0) return false;
  return true;
}

const memberText = ([name, value]: KeyField): string => `${quotedName(name)}:${jsonText(value)}`;

/** All items of a list have the same names of keys. */
const quotedName = (name: string): string =>
  quotedNames.get(name) ?? quotedNames.add(name, JSON.stringify(name));

/** An item of a set. */
export function valueElement(value: JsonValue, fromText = false): PathElement {
  return { kind: 'value', value, text: `v:${jsonText(value)}`, fromText };
}

/** An item of an atomic list. */
export function indexElement(index: number): PathElement {
  return { kind: 'index', index, text: `i:${index}`, fromText: false };
}

/** Nested fields: `fieldPath('spec', 'replicas')`. */
export function fieldPath(...names: readonly string[]): FieldPath {
  return names.map(fieldElement);
}

/** A key of FieldsV1 that is not a path element. */
export class PathElementError extends CodedError {
  static override readonly code: string = 'ERR_PATH_ELEMENT';
  protected static override readonly isTraced: boolean = false;
  override readonly name: string = 'PathElementError';
}

/**
 * Parses a key of FieldsV1; undefined for an unknown kind of element, which is skipped
 * (semantics/apply#submitted-managed-fields).
 *
 * @throws PathElementError for a malformed key
 */
export function parsePathElement(text: string): PathElement | undefined {
  const existing = parsed.get(text);
  if (existing) return existing;
  const element = readPathElement(text);
  return element && parsed.add(text, element);
}

function readPathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new PathElementError('key must be 2 characters long:');
  if (text[1] !== ':') throw new PathElementError(`missing colon: ${text}`);
  const rest = text.slice(2);
  switch (text[0]) {
    case 'f':
      return fieldElement(rest);
    case 'k':
      return plainKeyElement(text) ?? readable(() => keyElement(readMembersPrefix(rest), true));
    case 'v':
      return readable(() => valueElement(readJsonPrefix(rest), true));
    case 'i':
      return indexElement(parseIndex(rest));
    default:
      return undefined;
  }
}

/** Most keys are one text that needs no escapes: such an element is written as it is read. */
const PLAIN_KEY = /^k:\{"([-.\w]+)":"([ !#-%'-;=?-[\]-~]*)"\}$/;

function plainKeyElement(text: string): PathElement | undefined {
  const found = PLAIN_KEY.exec(text);
  if (!found) return undefined;
  const [, name = '', value = ''] = found;
  return { kind: 'key', fields: [[name, value]], text, fromText: true };
}

function readable(read: () => PathElement): PathElement {
  try {
    return read();
  } catch (error) {
    if (error instanceof JsonPrefixError) throw new PathElementError(error.message);
    throw error;
  }
}

function parseIndex(text: string): number {
  const index = Number(text);
  if (!/^[+-]?[0-9]+$/.test(text) || !Number.isSafeInteger(index))
    throw new PathElementError(`"${text}" is not an index`);
  return index;
}

const RANKS = { field: 0, key: 1, value: 2, index: 3 } as const;

/**
 * The order of siblings in a field set: fields, list-map items, set items, indices, each by content. Zero if
 * equal.
 */
export function comparePathElements(a: PathElement, b: PathElement): number {
  if (a === b || a.text === b.text) return 0;
  if (a.kind === 'field' && b.kind === 'field') return Math.sign(compareUtf8(a.name, b.name));
  if (a.kind === 'key' && b.kind === 'key') return compareKeyFields(a.fields, b.fields);
  if (a.kind === 'value' && b.kind === 'value') return compareValues(a.value, b.value);
  if (a.kind === 'index' && b.kind === 'index') return Math.sign(a.index - b.index);
  return Math.sign(RANKS[a.kind] - RANKS[b.kind]);
}

function compareKeyFields(a: KeyFields, b: KeyFields): number {
  for (let i = 0; i < a.length; i++) {
    const [name, value] = a[i] as KeyField;
    const other = b[i];
    if (!other) return 1;
    const order = Math.sign(compareUtf8(name, other[0])) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

/** An element as conflicts show it: `.spec`, `[name="a"]`, `[="x"]`, `[0]`. */
export function printPathElement(element: PathElement): string {
  switch (element.kind) {
    case 'field':
      return `.${element.name}`;
    case 'key':
      return `[${element.fields.map(([name, value]) => `${name}=${displayText(value, element.fromText)}`).join(',')}]`;
    case 'value':
      return `[=${displayText(element.value, element.fromText)}]`;
    case 'index':
      return `[${element.index}]`;
  }
}

/** A path as conflicts show it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function printFieldPath(path: FieldPath): string {
  return path.map(printPathElement).join('');
}
