import type { JsonValue, Schema, Steps } from '@ashlar/core';
import type { SpelledNumber } from '../formats/spelled-number.ts';
import { listNode, mapNode } from './typed-collection.ts';
import type { TypedContext } from './typed-context.ts';
import { leafNode } from './typed-leaf.ts';
import { structNode } from './typed-struct.ts';
import { unionNode } from './typed-union.ts';

/** A value as the decoder gets it. */
export type TypedInput = JsonValue | SpelledNumber;

/** The compiled decoder of one type. */
export interface TypedNode {
  /** What Go calls the type: `string`, `[]v1.Container`. Asked for in errors only. */
  goType(): string;
  /** What is inside, for the reader of exact texts. */
  readonly shape: TypedShape;
  /** Decodes a value that is there; null too. */
  decode(value: TypedInput, context: TypedContext): JsonValue;
  /** As `decode`, with pauses; of types that hold others. */
  decodeSteps?(value: TypedInput, context: TypedContext): Steps<JsonValue>;
  /** How the zero value is printed. */
  zero(): JsonValue;
  /** Whether a printed value is that of an empty field, which is left out. */
  isEmpty(value: JsonValue): boolean;
  /** Whether null sets the zero value; otherwise it changes nothing. */
  readonly nullResets: boolean;
}

/** Where repeated keys matter and what they merge into. */
type TypedShape =
  | { readonly kind: 'struct'; readonly fields: ReadonlyMap<string, TypedFieldShape> }
  | { readonly kind: 'map' | 'list'; readonly inside: TypedNode }
  | { readonly kind: 'leaf' };

/** A field of a struct, for the reader of exact texts. */
export interface TypedFieldShape {
  readonly node: TypedNode;
  /** Whether null takes away what an earlier value of the field set. */
  readonly nullResets: boolean;
}

/** Compiles schemas to nodes; a schema object that was met before gives the node that it gave before. */
export type CompileNode = (schema: Schema, path: string) => TypedNode;

/** Compiles the schema of a kind. */
export function compileType(schema: Schema): TypedNode {
  const known = new Map<Schema, TypedNode>();
  const compile: CompileNode = (part, path) => {
    const before = known.get(part);
    if (before) return before;
    const node = nodeOf(part, path, compile, (early) => known.set(part, early));
    known.set(part, node);
    return node;
  };
  return compile(schema, '');
}

function nodeOf(
  schema: Schema,
  path: string,
  compile: CompileNode,
  announce: (node: TypedNode) => void,
): TypedNode {
  if (schema.properties) return structNode(schema, path, compile, announce);
  if (schema.type === 'array') {
    if (!schema.items) throw new TypeError(`schema of ${path || 'the root'}: a list needs items`);
    return listNode(compile(schema.items, `${path}[]`));
  }
  if (typeof schema.additionalProperties === 'object') {
    return mapNode(compile(schema.additionalProperties, `${path}{}`));
  }
  if (schema.anyOf) return unionNode(schema.anyOf, path, compile);
  return leafNode(schema, path);
}
