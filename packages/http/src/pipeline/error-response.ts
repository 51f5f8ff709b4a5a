import { type JsonValue, type ServerResponse, type Status, StatusError } from '@ashlar/core';
import { encodeProtobufStatus } from '../encoding/protobuf-status.ts';
import { encodeText, plainJson, type Representation } from '../encoding/representation.ts';
import { PlainTextError } from './plain-text-error.ts';

/**
 * Any error as an answer: a Status in the form that the caller accepts, or plain text where the reference has it so. A 405 does not
 * say which methods there are: neither does the reference (recorded; RFC 9110 section 15.5.6 would have it).
 */
export function errorResponse(error: unknown, representation: Representation = plainJson): ServerResponse {
  if (error instanceof PlainTextError) return textResponse(error.code, error.message, error.headers);
  if (isMistake(error)) return textResponse(500, PANIC);
  const failure = toldError(error);
  const retryAfter = failure.details?.retryAfterSeconds;
  return {
    status: failure.code,
    headers: {
      'content-type': representation.contentType,
      ...(retryAfter && { 'retry-after': String(retryAfter) }),
      ...(failure.code === 403 && { 'x-content-type-options': 'nosniff' }),
    },
    body: encodeStatus(failure.status, representation),
  };
}

/**
 * What callers are told of an error: a StatusError is for them. The text of any other may hold paths, addresses or secrets of the
 * server, and is for the log.
 */
export function toldError(error: unknown): StatusError {
  return StatusError.is(error) ? error : INTERNAL_ERROR;
}

const INTERNAL_ERROR = new StatusError({
  code: 500,
  reason: 'InternalError',
  message: 'Internal error occurred: the log of the server says more',
});

const PANIC = 'This request caused apiserver to panic. Look in the logs for details.\n';

/** Errors of the language are mistakes of the program: their texts are for the log, not for the caller (semantics/status#situations). */
function isMistake(error: unknown): boolean {
  return MISTAKES.some((kind) => error instanceof kind);
}

const MISTAKES = [TypeError, RangeError, ReferenceError, SyntaxError];

const UNAUTHORIZED = StatusError.unauthorized();
let unauthorizedInJson: ServerResponse | undefined;

/** What everybody is told whom nobody knows. It is made once for those who take JSON. */
export function unauthorizedResponse(representation: Representation): ServerResponse {
  if (representation !== plainJson) return errorResponse(UNAUTHORIZED, representation);
  unauthorizedInJson ??= errorResponse(UNAUTHORIZED);
  return unauthorizedInJson;
}

/** A Status as a body. */
export function encodeStatus(status: Status, representation: Representation): Uint8Array {
  if (representation.format === 'protobuf') return encodeProtobufStatus(status);
  return encodeText(status as unknown as JsonValue, representation);
}

/** An answer in plain text. */
export function textResponse(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ServerResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: new TextEncoder().encode(text),
  };
}
