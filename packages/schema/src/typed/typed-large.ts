import type { JsonValue, Steps } from '@ashlar/core';
import type { TypedContext } from './typed-context.ts';
import type { TypedInput, TypedNode } from './typed-node.ts';

/** Returns the decoding steps of a large value; undefined for all others, which `decode` handles. */
export function largeSteps(
  node: TypedNode,
  value: TypedInput,
  context: TypedContext,
): Steps<JsonValue> | undefined {
  return context.large?.has(value as JsonValue) ? node.decodeSteps?.(value, context) : undefined;
}
