import {
  type ChangedCopy,
  changedCopyOf,
  doneSteps,
  type JsonObject,
  type JsonValue,
  type Steps,
} from '@ashlar/core';
import { findLargeValues, isSmall } from '../structural/large-values.ts';
import { decodeChanged } from './typed-changed.ts';
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
const decodedParts: WeakMap<object, Decoded> = new WeakMap();

/** Large values inside of which nothing is looked for: they were decoded, or are copies of such with a few changes. */
export const knownParts = {
  has(value: object): boolean {
    if (decodedParts.has(value)) return true;
    const copy = changedCopyOf(value);
    return copy !== undefined && decodedParts.has(copy.original);
  },
};

/** Returns the decoding steps of a large value; undefined for all others, which `decode` handles. */
export function largeSteps(
  node: TypedNode,
  value: TypedInput,
  context: TypedContext,
): Steps<JsonValue> | undefined {
  if (!context.large?.has(value as JsonValue) || !node.decodeSteps) return undefined;
  const known = decodedParts.get(value as object);
  if (known && isDecodedAs(node, known, context)) {
    context.countQuantities(known.quantities);
    return doneSteps(value as JsonValue);
  }
  const copy = changedCopyOf(value as object);
  const decoded = copy && decodeCopy(node, value as JsonObject, copy, context);
  return decoded
    ? doneSteps(decoded)
    : decodeOnceSteps(node, value, context, known !== undefined || copy !== undefined);
}

const isDecodedAs = (node: TypedNode, known: Decoded, context: TypedContext): boolean =>
  known.node === node && context.depth <= known.depth;

/** Decodes what was changed in a copy of a part that was decoded before; undefined if all of it has to be decoded. */
function decodeCopy(
  node: TypedNode,
  value: JsonObject,
  copy: ChangedCopy,
  context: TypedContext,
): JsonValue | undefined {
  const known = decodedParts.get(copy.original);
  if (!known || !isDecodedAs(node, known, context) || known.quantities > 0) return undefined;
  const decoded = decodeChanged(node, value, copy, context);
  if (decoded !== undefined)
    decodedParts.set(decoded as object, { node, quantities: 0, depth: context.depth });
  return decoded;
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
  if (typeof decoded !== 'object' || decoded === null) return decoded;
  // what was known may have lost almost everything
  if (!isKnown || !isSmall(decoded))
    decodedParts.set(decoded, { node, quantities: context.quantities - before, depth });
  return decoded;
}
