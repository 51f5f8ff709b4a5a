import type { Steps } from '../contracts/steps.ts';

/** A JSON value in memory: immutable, shared by reference. Integers beyond 2^53 are `bigint` (ADR 0001). */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject;

/** A JSON object: own enumerable string keys only. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

/** True for JSON objects, not for arrays and null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for JSON arrays; `Array.isArray` alone does not narrow readonly ones. */
export function isJsonArray(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * Freezes a value and everything below it, and returns it. Frozen values are not entered again. Deep nesting
 * is safe.
 */
export function deepFreeze<T>(value: T): T {
  const pending: unknown[] = [value];
  while (pending.length > 0) freezeNext(pending);
  return value;
}

/** As {@link deepFreeze}, with pauses between arrays and objects. */
export function* deepFreezeSteps<T>(value: T): Steps<T> {
  const pending: unknown[] = [value];
  for (let count = 1; pending.length > 0; count++) {
    const before = pending.length;
    freezeNext(pending);
    // everything on the stack at this time was processed
    if (count % FROZEN_PER_STEP === 0 || pending.length > before + FROZEN_PER_STEP) yield;
  }
  return value;
}

/** Number of values frozen between two pauses. */
const FROZEN_PER_STEP = 1024;

function freezeNext(pending: unknown[]): void {
  const next = pending.pop();
  if (typeof next !== 'object' || next === null || Object.isFrozen(next)) return;
  for (const key in next) pending.push((next as Record<string, unknown>)[key]);
  Object.freeze(next);
}
