import { doneSteps, type JsonValue, type Steps } from '@ashlar/core';
import { findLargeValues } from '../structural/large-values.ts';
import type { TypedContext } from './typed-context.ts';
import type { TypedInput, TypedNode } from './typed-node.ts';

/** What was decoded, and what it counts for. */
interface Decoded {
  readonly node: TypedNode;
  readonly quantities: number;
  /** How deep it was: further down its own parts might be too deep. */
  readonly depth: number;
}

/**
 * Large lists and objects that were decoded. What admission has changed of an object shares its other parts, which are decoded to
 * themselves: values are immutable.
 */
export const decodedParts: WeakMap<object, Decoded> = new WeakMap();

/** Returns the decoding steps of a large value; undefined for all others, which `decode` handles. */
export function largeSteps(
  node: TypedNode,
  value: TypedInput,
  context: TypedContext,
): Steps<JsonValue> | undefined {
  if (!context.large?.has(value as JsonValue) || !node.decodeSteps) return undefined;
  const known = decodedParts.get(value as object);
  if (known?.node !== node || context.depth > known.depth)
    return decodeOnceSteps(node, value, context, known !== undefined);
  context.countQuantities(known.quantities);
  return doneSteps(value as JsonValue);
}

/** @param isKnown whether it was decoded elsewhere: what is large inside of it has not been looked for then */
function* decodeOnceSteps(
  node: TypedNode,
  value: TypedInput,
  context: TypedContext,
  isKnown: boolean,
): Steps<JsonValue> {
  if (isKnown) context.addLarge(yield* findLargeValues(value as JsonValue));
  const { depth, quantities: before } = context;
  const decoded = (yield* node.decodeSteps?.(value, context) ?? doneSteps(null)) as JsonValue;
  if (typeof decoded === 'object' && decoded !== null)
    decodedParts.set(decoded, { node, quantities: context.quantities - before, depth });
  return decoded;
}
