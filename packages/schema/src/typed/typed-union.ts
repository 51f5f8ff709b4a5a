import { isJsonObject, type JsonValue, type Schema } from '@ashlar/core';
import { isPlain } from './typed-collection.ts';
import type { TypedContext } from './typed-context.ts';
import { TypedDecodeError } from './typed-decode-error.ts';
import type { CompileNode, TypedInput, TypedNode } from './typed-node.ts';

/**
 * A type of several shapes, such as a schema or a boolean. Such types have their own decoder: inside only
 * wrong types are reported, not unknown or repeated fields.
 */
export function unionNode(branches: readonly Schema[], path: string, compile: CompileNode): TypedNode {
  const find = (predicate: (branch: Schema) => boolean): TypedNode | undefined => {
    const branch = branches.find(predicate);
    return branch && compile(branch, path);
  };
  const shapes: Shapes = {
    object: find((branch) => branch.properties !== undefined),
    list: find((branch) => branch.type === 'array'),
    takesBoolean: branches.some((branch) => branch.type === 'boolean'),
  };
  return {
    goType: () => 'union',
    shape: { kind: 'leaf' },
    nullResets: true,
    zero: () => null,
    isEmpty: (value) => value === null,
    decode(value, context) {
      if (value === null) return null;
      context.skip(value as JsonValue);
      try {
        return decodeShape(shapes, value, context.within());
      } catch (error) {
        if (!(error instanceof TypedDecodeError)) throw error;
        context.save(error);
        return null;
      }
    },
  };
}

interface Shapes {
  readonly object: TypedNode | undefined;
  readonly list: TypedNode | undefined;
  readonly takesBoolean: boolean;
}

function decodeShape(
  { object, list, takesBoolean }: Shapes,
  value: TypedInput,
  context: TypedContext,
): JsonValue {
  if (takesBoolean && typeof value === 'boolean') return value;
  if (object && isJsonObject(value as JsonValue) && isPlain(value as object))
    return decodeInside(object, value, context);
  if (takesBoolean) throw new TypedDecodeError('boolean or JSON schema expected');
  if (!list || !Array.isArray(value) || value.length === 0) return null;
  return decodeInside(list, value, context);
}

/** Paths of errors begin here. */
function decodeInside(node: TypedNode, value: TypedInput, context: TypedContext): JsonValue {
  const decoded = node.decode(value, context);
  context.finish();
  return decoded;
}
