import type { Steps } from '../contracts/steps.ts';
import type { JsonObject, JsonValue } from './json.ts';
import { ownMember } from './json-member.ts';
import { memberNames } from './member-names.ts';

/**
 * Whether two JSON values are equal: key order is ignored, absent and `undefined` are equal. Deep nesting is
 * safe.
 */
export function jsonEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (!isStructure(a) || !isStructure(b)) return false;
  const pending: Structure[] = [a, b];
  while (pending.length > 0) if (!nextEqual(pending)) return false;
  return true;
}

/** As {@link jsonEqual}, with pauses between arrays and objects. */
export function* jsonEqualSteps(a: JsonValue | undefined, b: JsonValue | undefined): Steps<boolean> {
  if (a === b) return true;
  if (!isStructure(a) || !isStructure(b)) return false;
  const pending: Structure[] = [a, b];
  for (let count = 1; pending.length > 0; count++) {
    const before = pending.length;
    if (!nextEqual(pending)) return false;
    if (count % COMPARED_PER_STEP === 0 || pending.length > before + COMPARED_PER_STEP) yield;
  }
  return true;
}

/** Number of arrays and objects compared between two pauses. */
const COMPARED_PER_STEP = 1024;

function nextEqual(pending: Structure[]): boolean {
  const right = pending.pop() as Structure;
  const left = pending.pop() as Structure;
  return membersEqual(left, right, pending);
}

type Structure = readonly JsonValue[] | JsonObject;

const isStructure = (value: JsonValue | undefined): value is Structure =>
  typeof value === 'object' && value !== null;

/** Compares one level; nested structures are added to `pending`. */
function membersEqual(a: Structure, b: Structure, pending: Structure[]): boolean {
  if (!Array.isArray(a) && !Array.isArray(b)) return fieldsEqual(a as JsonObject, b as JsonObject, pending);
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!equalOrPending(a[i], b[i], pending)) return false;
  return true;
}

function fieldsEqual(a: JsonObject, b: JsonObject, pending: Structure[]): boolean {
  for (const key of memberNames(a)) if (!equalOrPending(a[key], ownMember(b, key), pending)) return false;
  for (const key of memberNames(b)) if (b[key] !== undefined && ownMember(a, key) === undefined) return false;
  return true;
}

function equalOrPending(a: JsonValue | undefined, b: JsonValue | undefined, pending: Structure[]): boolean {
  if (a === b) return true;
  if (!isStructure(a) || !isStructure(b)) return false;
  pending.push(a, b);
  return true;
}
