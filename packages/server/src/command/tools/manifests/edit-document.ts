import type { ManifestEdit } from '@ashlar/apis/withdrawn';
import { isJsonObject, type JsonObject, type JsonValue, jsonEqual } from '@ashlar/core';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Pair,
  parseDocument,
  type YAMLMap,
} from 'yaml';

/** A change of a document, whose path begins at its root. */
export type DocumentEdit = ManifestEdit;

/**
 * Makes changes in the text of a YAML or JSON document. Comments, the order of fields, anchors and the style of what does not change
 * are kept; a value that moves takes its comments along.
 *
 * @param newValue what the document is to contain afterwards
 * @returns undefined if the changes cannot be made in this text: it contains something else afterwards
 */
export function editDocument(
  text: string,
  edits: readonly DocumentEdit[],
  newValue: JsonValue,
): string | undefined {
  const json = editedJson(text, newValue);
  if (json !== undefined) return json;
  const document = parseDocument(text, { keepSourceTokens: false, strict: false });
  if (document.errors.length > 0) return undefined;
  const removed = edits.filter(({ value }) => value === undefined).map(({ path }) => path);
  const moving = new MovingNodes(document, removed);
  for (const edit of edits) {
    if (edit.value === undefined) removeAt(document, edit.path);
    else setAt(document, edit.path, edit.value, moving);
  }
  const edited = printed(document, text);
  const result = parseDocument(edited).toJS({ maxAliasCount: -1 }) as JsonValue;
  return jsonEqual(result, newValue) ? edited : undefined;
}

/** Text that is JSON stays JSON, with its indentation. */
function editedJson(text: string, newValue: JsonValue): string | undefined {
  const content = text.trim();
  if (!content.startsWith('{') && !content.startsWith('[')) return undefined;
  try {
    JSON.parse(content);
  } catch {
    return undefined;
  }
  const indent = /^[[{]\r?\n([ \t]+)/.exec(content)?.[1];
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  return before + JSON.stringify(newValue, null, indent) + after;
}

type Path = ManifestEdit['path'];

/** Nodes that will be removed, for values that only move. */
class MovingNodes {
  readonly #nodes: { readonly value: JsonValue; readonly pair: Pair }[] = [];

  constructor(document: Document, removed: readonly Path[]) {
    for (const path of removed) {
      const parent = path.length > 1 ? document.getIn(path.slice(0, -1)) : document.contents;
      if (isMap(parent)) this.#collect(document, pairOf(parent, path.at(-1)));
    }
  }

  #collect(document: Document, pair: Pair | undefined): void {
    if (!pair || !isNode(pair.value)) return;
    this.#nodes.push({ value: pair.value.toJS(document) as JsonValue, pair });
    if (isMap(pair.value)) for (const inner of pair.value.items) this.#collect(document, inner);
  }

  /** Takes the node of a value, once. */
  take(value: JsonValue): Pair | undefined {
    const index = this.#nodes.findIndex((node) => jsonEqual(node.value, value));
    return index < 0 ? undefined : this.#nodes.splice(index, 1)[0]?.pair;
  }
}

const pairOf = (map: YAMLMap, key: string | number | undefined): Pair | undefined =>
  map.items.find((pair) => (isScalar(pair.key) ? pair.key.value : pair.key) === key);

function removeAt(document: Document, path: Path): void {
  const key = path.at(-1);
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1)) : document.contents;
  if (!isMap(parent)) return;
  const pair = pairOf(parent, key);
  if (!pair) return;
  keepComment(parent, pair);
  parent.delete(key);
  if (path.length > 1 && parent.items.length === 0) parent.flow = true;
}

/** The comment above a field that is removed stays above the next one. */
function keepComment(parent: YAMLMap, pair: Pair): void {
  const comment = isNode(pair.key) ? pair.key.commentBefore : undefined;
  if (!comment) return;
  const next = parent.items[parent.items.indexOf(pair) + 1] ?? parent.items[parent.items.indexOf(pair) - 1];
  if (next && isNode(next.key))
    next.key.commentBefore = [comment, next.key.commentBefore].filter(Boolean).join('\n');
}

/** The target of an alias is copied before it is changed. */
function setAt(document: Document, path: Path, value: JsonValue, moving: MovingNodes): void {
  let parent: unknown = document.contents;
  for (const [depth, step] of path.slice(0, -1).entries()) {
    const next = stepInto(parent, step);
    if (isAlias(next)) {
      const copy = document.createNode(next.toJS(document) as JsonValue);
      document.setIn(path.slice(0, depth + 1), copy);
      parent = copy;
    } else if (isMap(next) || isSeq(next)) parent = next;
    else {
      // the field is missing, or comes from a merge: it is written as a whole
      const replacement = valueWith(document, path.slice(0, depth + 1), path.slice(depth + 1), value);
      document.setIn(path.slice(0, depth + 1), nodeOf(document, replacement, moving));
      return;
    }
  }
  const key = path.at(-1);
  const isSame = isMap(parent) && pairOf(parent, key);
  if (isSame && isScalar(isSame.value) && !isObjectOrList(value)) {
    isSame.value.value = value;
    return;
  }
  const node = nodeOf(document, value, moving);
  if (isMap(parent) && !isSame) parent.add(document.createPair(key, node));
  else document.setIn(path, node);
}

const isObjectOrList = (value: JsonValue): boolean => typeof value === 'object' && value !== null;

function stepInto(parent: unknown, step: string | number): unknown {
  if (isMap(parent)) return pairOf(parent, step)?.value;
  return isSeq(parent) ? parent.items[Number(step)] : undefined;
}

function valueWith(document: Document, at: Path, rest: Path, value: JsonValue): JsonValue {
  let current: unknown = document.toJS({ maxAliasCount: -1 });
  for (const step of at) current = (current as Record<string, unknown> | undefined)?.[step];
  return withValue(current as JsonValue | undefined, rest, value);
}

function withValue(current: JsonValue | undefined, [step, ...rest]: Path, value: JsonValue): JsonValue {
  if (step === undefined) return value;
  const object = current !== undefined && isJsonObject(current) ? current : {};
  return { ...object, [step]: withValue(object[step] as JsonValue | undefined, rest, value) };
}

/** A node for a value, of nodes that move where their values are in it. */
function nodeOf(document: Document, value: JsonValue, moving: MovingNodes): unknown {
  const moved = moving.take(value);
  if (moved && isNode(moved.value)) {
    const comment = isNode(moved.key) ? moved.key.commentBefore : undefined;
    if (comment && !moved.value.commentBefore && isObjectOrList(value)) moved.value.commentBefore = comment;
    if (isNode(moved.key)) moved.key.commentBefore = null;
    return moved.value;
  }
  if (Array.isArray(value) || !isJsonObject(value)) return document.createNode(value);
  const map = document.createNode({});
  (map as YAMLMap).flow = false;
  for (const [name, part] of Object.entries(value as JsonObject))
    if (part !== undefined) (map as YAMLMap).add(document.createPair(name, nodeOf(document, part, moving)));
  if (Object.keys(value).length === 0) (map as YAMLMap).flow = true;
  return map;
}

/** The style of the text as far as it can be seen. */
function printed(document: Document, text: string): string {
  const { indent, indentSeq } = styleOf(text);
  const flowCollectionPadding = /\{ \S/.test(text);
  const body = document.toString({ lineWidth: 0, indent, indentSeq, flowCollectionPadding });
  return !text.endsWith('\n') && body.endsWith('\n') ? body.slice(0, -1) : body;
}

interface Style {
  readonly indent: number;
  /** Whether lists are indented below their field. */
  readonly indentSeq: boolean;
}

/** The first nested object and the first nested list show the style. */
function styleOf(text: string): Style {
  let before: { readonly depth: number; readonly opens: boolean } = { depth: 0, opens: false };
  let indent: number | undefined;
  let indentSeq: boolean | undefined;
  for (const line of text.split('\n')) {
    const content = line.trimStart();
    if (content === '' || content.startsWith('#')) continue;
    const depth = line.length - content.length;
    const isItem = content.startsWith('- ');
    if (before.opens && isItem) indentSeq ??= depth > before.depth;
    else if (before.opens && depth > before.depth) indent ??= depth - before.depth;
    const [field = ''] = content.split(' #', 1);
    before = { depth: isItem ? depth + 2 : depth, opens: field.trimEnd().endsWith(':') };
    if (indent !== undefined && indentSeq !== undefined) break;
  }
  return { indent: indent ?? 2, indentSeq: indentSeq ?? true };
}
