import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';
import { isLarge } from './large-parts.ts';

/** Values that a shape may have. */
const MAXIMUM_VALUES = 64;
/** Characters of the names of a shape. */
const MAXIMUM_CHARACTERS = 600;

/** A member of the objects of some shapes, or the end of the members of an object. */
interface ShapeNode<Value> {
  readonly name: string;
  readonly kind: Kind;
  /** What may follow: the first of a chain. */
  next: ShapeNode<Value> | undefined;
  /** What else may follow the node before. */
  readonly other: ShapeNode<Value> | undefined;
  value: Value | undefined;
}

/**
 * Values by the shapes of objects: the names of all members with the kinds of their values. Objects with lists, whose items may be known by
 * what they contain, have none. Made for a few shapes; finding one copies nothing of the object.
 */
export class ShapeTree<Value> {
  readonly #root: ShapeNode<Value> = newNode('', 'object', undefined);
  #size = 0;

  /** The number of its nodes. */
  get size(): number {
    return this.#size;
  }

  /** The value of the object's shape, if it has one. */
  get(object: JsonObject): Value | undefined {
    return walk(this.#root, object, find)?.value;
  }

  /** Returns whether the object has a shape that is short enough to be remembered. */
  set(object: JsonObject, value: Value): boolean {
    const add = (before: ShapeNode<Value>, name: string, kind: Kind): ShapeNode<Value> =>
      find(before, name, kind) ?? this.#add(before, name, kind);
    const end = isShort(object) ? walk(this.#root, object, add) : undefined;
    if (end) end.value = value;
    return end !== undefined;
  }

  #add(before: ShapeNode<Value>, name: string, kind: Kind): ShapeNode<Value> {
    this.#size++;
    before.next = newNode(name, kind, before.next);
    return before.next;
  }
}

type Step<Value> = (before: ShapeNode<Value>, name: string, kind: Kind) => ShapeNode<Value> | undefined;

function walk<Value>(
  root: ShapeNode<Value>,
  object: JsonObject,
  step: Step<Value>,
): ShapeNode<Value> | undefined {
  // even the first member of a large object is found by listing all of them
  if (isLarge(object)) return undefined;
  let node: ShapeNode<Value> | undefined = root;
  for (const name in object) {
    const value = object[name] as JsonValue;
    const kind = kindOf(value);
    node = kind === 'other' ? undefined : step(node, name, kind);
    if (node && kind === 'object') node = walk(node, value as JsonObject, step);
    if (!node) return undefined;
  }
  return step(node, '', 'end');
}

function find<Value>(before: ShapeNode<Value>, name: string, kind: Kind): ShapeNode<Value> | undefined {
  let node = before.next;
  while (node && (node.kind !== kind || node.name !== name)) node = node.other;
  return node;
}

function newNode<Value>(name: string, kind: Kind, other: ShapeNode<Value> | undefined): ShapeNode<Value> {
  return { name, kind, next: undefined, other, value: undefined };
}

/** Whether an object has a shape, a short one: of others nothing is remembered. */
function isShort(object: JsonObject): boolean {
  let values = 0;
  let characters = 0;
  const hasRoom = (value: JsonObject): boolean => {
    if (isLarge(value)) return false;
    for (const name in value) {
      characters += name.length;
      if (++values > MAXIMUM_VALUES || characters > MAXIMUM_CHARACTERS) return false;
      const member = value[name] as JsonValue;
      const kind = kindOf(member);
      if (kind === 'other' || (kind === 'object' && !hasRoom(member as JsonObject))) return false;
    }
    return true;
  };
  return hasRoom(object);
}

type Kind = 'text' | 'boolean' | 'integer' | 'decimal' | 'null' | 'object' | 'end' | 'other';

function kindOf(value: JsonValue): Kind {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'decimal';
    default:
      return value === null ? 'null' : isJsonObject(value) ? 'object' : 'other';
  }
}
