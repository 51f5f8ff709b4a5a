import type { Schema } from '@ashlar/core';
import { listNode, mapNode } from './typed-collection.ts';
import { leafNode } from './typed-leaf.ts';
import type { CompileNode, TypedNode } from './typed-node.ts';
import { structNode } from './typed-struct.ts';
import { unionNode } from './typed-union.ts';

/**
 * Compiles the schema of a kind to its decoder. Each schema object is compiled once, so that types may be
 * recursive.
 */
export function compileType(schema: Schema): TypedNode {
  const compiled = new Map<Schema, TypedNode>();
  const compile: CompileNode = (part, path) => {
    const existing = compiled.get(part);
    if (existing) return existing;
    const node = nodeOf(part, path, compile, (node) => compiled.set(part, node));
    compiled.set(part, node);
    return node;
  };
  return compile(schema, '');
}

function nodeOf(
  schema: Schema,
  path: string,
  compile: CompileNode,
  register: (node: TypedNode) => void,
): TypedNode {
  if (schema.properties) return structNode(schema, path, compile, register);
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
