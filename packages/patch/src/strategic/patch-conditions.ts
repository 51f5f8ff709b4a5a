import { goValue, hasMember, isJsonObject, type JsonObject, type JsonValue, ownMember } from '@ashlar/core';
import { PatchError } from '../errors/patch-error.ts';

/** A condition on a created patch; false rejects it. */
export type PatchPrecondition = (patch: JsonObject) => boolean;

/** The patch must not touch a member of the root. */
export function requireKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => !hasMember(patch, key);
}

/** The patch must not touch a member of `metadata`. */
export function requireMetadataKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => {
    const metadata = ownMember(patch, 'metadata');
    return !isJsonObject(metadata) || !hasMember(metadata, key);
  };
}

/** @throws PatchError `precondition` for the first violated one */
export function requirePreconditions(
  patch: JsonObject,
  preconditions: readonly PatchPrecondition[] = [],
): void {
  for (const isMet of preconditions) {
    if (!isMet(patch)) throw new PatchError('precondition', `precondition failed for: ${goValue(patch)}`);
  }
}

/** Prints a patch in the message of a conflict. */
export type PatchPrinter = (patch: JsonObject) => string;

/** The error for a patch that would overwrite the changes of another client. */
export function conflictError(
  patch: JsonObject,
  changes: JsonObject,
  print: PatchPrinter = printJson,
): PatchError {
  const text = `patch:\n${print(patch)}\nconflicts with changes made from original to current:\n${print(changes)}\n`;
  return new PatchError('conflict', text);
}

function printJson(value: JsonValue): string {
  const withIntegers = (_: string, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member;
  return `${JSON.stringify(value, withIntegers, 2)}\n`;
}
