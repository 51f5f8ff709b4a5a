import {
  isJsonObject,
  type JsonValue,
  jsonTypeError,
  notAnObject,
  parseApiVersion,
  StatusError,
  toHex,
} from '@ashlar/core';
import { DecodeError } from './decode-error.ts';
import { decodeUtf8 } from './utf8.ts';

const SUMMARY_BYTES = 30;

/** `apiVersion` and `kind` of a body; empty if it has none. */
export interface BodyKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/**
 * Returns the 400 for a body whose kind cannot be determined (semantics/verbs#decoding): the cause, and the
 * start of the body.
 */
export function unrecognizedBody(expectedKind: string, reason: string, body: Uint8Array): StatusError {
  return StatusError.badRequest(
    `the object provided is unrecognized (must be of type ${expectedKind}): ${reason} (${summarize(body)})`,
  );
}

function summarize(body: Uint8Array): string {
  if (body.length === 0) return '<empty>';
  const head = body.subarray(0, SUMMARY_BYTES);
  const text = body[0] === 0x7b ? decodeUtf8(head) : toHex(head);
  return body.length > SUMMARY_BYTES ? `${text} ...` : text;
}

/**
 * The kind that a decoded body declares; `null` declares none.
 * @throws DecodeError if it is not an object, or either is not a string, or `apiVersion` has several slashes
 */
export function bodyKind(value: JsonValue): BodyKind {
  if (value !== null && !isJsonObject(value)) throw new DecodeError(unreadableKind(notAnObject(value)));
  const { apiVersion = '', kind = '' } = value ?? {};
  if (apiVersion !== null && typeof apiVersion !== 'string')
    throw notKind(apiVersion, 'string', 'Go struct field .apiVersion');
  if (kind !== null && typeof kind !== 'string') throw notKind(kind, 'string', 'Go struct field .kind');
  if (parseApiVersion(apiVersion ?? '') === undefined)
    throw new DecodeError(`unexpected GroupVersion string: ${apiVersion}`);
  return { apiVersion: apiVersion ?? '', kind: kind ?? '' };
}

function notKind(value: JsonValue, expectedType: string, place?: string): DecodeError {
  return new DecodeError(unreadableKind(jsonTypeError(value, expectedType, place).message));
}

/** Prefix of errors of JSON bodies. */
export function unreadableKind(reason: string): string {
  return `couldn't get version/kind; json parse error: ${reason}`;
}

/** Whether a decoded value names its kind. An `apiVersion` with several slashes counts as no kind. */
export function namesKind(value: JsonValue): boolean {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  const hasVersion = typeof apiVersion !== 'string' || parseApiVersion(apiVersion) !== undefined;
  return typeof kind === 'string' && kind !== '' && hasVersion;
}

/**
 * Requires that a decoded value names its kind, as objects without a built-in type must
 * (semantics/verbs#decoding).
 * @param body in JSON
 * @throws DecodeError `Object 'Kind' is missing in '…'` with the entire body
 */
export function requireKind(value: JsonValue, body: Uint8Array): void {
  if (!namesKind(value)) throw new DecodeError(`Object 'Kind' is missing in '${decodeUtf8(body)}'`);
}

/**
 * The kind and version that a decoded document names, as a configuration file must.
 * @throws DecodeError if either is missing or not a string, or the document is not an object
 */
export function namedKind(value: JsonValue, document: string | Uint8Array): BodyKind {
  const named = bodyKind(value);
  const version = parseApiVersion(named.apiVersion)?.version ?? '';
  const missing = named.kind === '' ? 'Kind' : version === '' ? 'apiVersion' : undefined;
  if (missing === undefined) return named;
  const shown = typeof document === 'string' ? document : decodeUtf8(document);
  throw new DecodeError(`Object '${missing}' is missing in '${shown}'`);
}
