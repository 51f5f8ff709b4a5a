import {
  compareUtf8,
  errorMessage,
  type GroupVersion,
  goQuote,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  StatusError,
} from '@ashlar/core';
import { TypedDecodeError } from '@ashlar/schema';

/** How unknown fields and duplicate keys are handled (semantics/schemas#strictness). */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';

/** How the body of a request is decoded. */
export interface DecodeRequest {
  readonly fieldValidation: FieldValidation;
  /** Findings of the encoding: `duplicate field "data"`. */
  readonly findings: readonly string[];
  warn(text: string): void;
  /** What declares kind and version, if that are not the members of the value with these names. */
  readonly declared?: JsonValue;
  /** Namespace and name of a configuration that was applied, for errors: `n/a`. */
  readonly applied?: string;
  /** The strategic merge patch that has made the value, if one has. */
  readonly strategicPatch?: JsonValue;
}

/** The error of a value that release 1.32 reads from a map, as after an apply or a strategic merge patch, and not from a text. */
export function errorOfMap(error: unknown): string {
  const text = TypedDecodeError.is(error) ? error.ofMap : errorMessage(error);
  return text.startsWith('illegal base64') ? `error decoding from json: ${text}` : text;
}

/** The kind of an endpoint. */
export interface Expected extends GroupVersion {
  readonly kind: string;
  /** Names of all versions of the kind, for built-in ones. */
  readonly versions?: readonly string[];
  /** Further values of `apiVersion` that objects of the kind have had. */
  readonly formerVersions?: readonly string[];
  /** Further values of `apiVersion` that are accepted. */
  readonly equalVersions?: readonly string[];
}

/** Reports the findings of a decoded object as warnings, or as an error. @throws StatusError 400 */
export function reportFindings(
  expected: Expected,
  findings: readonly string[],
  { fieldValidation, warn }: DecodeRequest,
): void {
  if (findings.length === 0 || fieldValidation === 'Ignore') return;
  if (fieldValidation === 'Warn') {
    for (const text of findings) warn(text);
    return;
  }
  throw StatusError.badRequest(
    `${cannotBeHandled(expected, expected)}: strict decoding error: ${findings.join(', ')}`,
  );
}

/** The start of errors of a body whose kind is known. */
export const cannotBeHandled = (found: { kind: string; version: string }, { kind }: Expected): string =>
  `${found.kind} in version ${goQuote(found.version)} cannot be handled as a ${kind}`;

/** JSON of a value for messages, in which integers beyond 2^53 are texts. */
const jsonForMessage = (value: JsonValue): string =>
  JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member));

/** JSON of a patched object of a built-in type for messages: a patch leaves its own members in the order of their names. */
export const patchedJsonForMessage = (value: JsonValue): string =>
  jsonForMessage(isJsonObject(value) ? sortedByName(value) : value);

const sortedByName = (object: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.keys(object)
      .sort(compareUtf8)
      .map((name) => [name, object[name]]),
  );

/** JSON of a custom object for messages: its members in the order of their names. */
export const sortedJsonForMessage = (value: JsonValue): string =>
  JSON.stringify(value, (_, member: unknown) => {
    if (typeof member === 'bigint') return String(member);
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member;
    return sortedByName(member as JsonObject);
  });
