import { doneSteps, isJsonObject, type JsonValue, runAtOnce, type Schema, type Steps } from '@ashlar/core';
import { isPlain } from './typed-collection.ts';
import type { TypedContext } from './typed-context.ts';
import { TypedDecodeError } from './typed-decode-error.ts';
import { largeSteps } from './typed-large.ts';
import type { CompileNode, TypedInput, TypedNode } from './typed-node.ts';

/**
 * A type of several shapes, such as a schema or a boolean. Such types have their own decoder: inside only
 * wrong types are reported, not unknown or repeated fields, and their errors go before those of other values.
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
    decode: (value, context) => (value === null ? null : runAtOnce(decodeShape(shapes, value, context))),
    decodeSteps: (value, context) => (value === null ? doneSteps(null) : decodeShape(shapes, value, context)),
  };
}

interface Shapes {
  readonly object: TypedNode | undefined;
  readonly list: TypedNode | undefined;
  readonly takesBoolean: boolean;
}

function* decodeShape(shapes: Shapes, value: TypedInput & {}, context: TypedContext): Steps<JsonValue> {
  yield* context.skipSteps(value as JsonValue);
  try {
    const node = nodeOf(shapes, value);
    if (!node) return typeof value === 'boolean' && shapes.takesBoolean ? value : null;
    const inside = context.within();
    const decoded = yield* largeSteps(node, value, inside) ?? doneSteps(node.decode(value, inside));
    inside.finish();
    return decoded;
  } catch (error) {
    // an error of such a decoder ends that of the whole, which knows only where it began
    throw error instanceof TypedDecodeError && error.mismatch
      ? context.mismatchError(error.mismatch, error.message)
      : error;
  }
}

/** @throws TypedDecodeError for a value that has neither shape of a schema or a boolean */
function nodeOf({ object, list, takesBoolean }: Shapes, value: TypedInput): TypedNode | undefined {
  if (takesBoolean && typeof value === 'boolean') return undefined;
  if (object && isJsonObject(value as JsonValue) && isPlain(value as object)) return object;
  if (takesBoolean) throw new TypedDecodeError('boolean or JSON schema expected');
  return Array.isArray(value) && value.length > 0 ? list : undefined;
}
