import type { JsonValue, Steps } from '@ashlar/core';
import type { TypedContext } from './typed-context.ts';
import type { TypedInput, TypedNode } from './typed-node.ts';

/** How a value is decoded that is large; undefined for all others, which `decode` is for. */
export function largeSteps(
  node: TypedNode,
  value: TypedInput,
  context: TypedContext,
): Steps<JsonValue> | undefined {
  return context.large?.has(value as JsonValue) ? node.decodeSteps?.(value, context) : undefined;
}
