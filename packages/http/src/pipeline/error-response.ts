import {
  doneSteps,
  type JsonValue,
  type ServerResponse,
  type Status,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { encodeProtobufStatus } from '../encoding/protobuf-status.ts';
import { encodeText, encodeTextSteps, plainJson, type Representation } from '../encoding/representation.ts';
import { PlainTextError } from './plain-text-error.ts';

/**
 * Returns the response for an error: a Status in a format that the client accepts, or plain text where the reference server sends it.
 * Only a 403 of the authorization of the request has nosniff, not one of later checks. A 405 has no Allow header, as on the reference server (recorded), although RFC 9110 section 15.5.6 requires it.
 */
export function errorResponse(
  error: unknown,
  representation: Representation = plainJson,
  isAuthorized = false,
): ServerResponse {
  if (error instanceof PlainTextError) return textResponse(error.code, error.message, error.headers);
  if (isBug(error)) return textResponse(500, PANIC);
  const failure = toPublicError(error);
  return statusResponse(failure, encodeStatus(failure.status, representation), representation, isAuthorized);
}

/** Characters from which on a message is encoded with pauses: it may quote megabytes of a body. */
const LONG_MESSAGE = 65_536;

/** Causes from which on a status is encoded with pauses: a webhook may have sent thousands. */
const MANY_CAUSES = 1024;

const isLong = ({ message, details }: StatusError): boolean =>
  message.length > LONG_MESSAGE || (details?.causes?.length ?? 0) > MANY_CAUSES;

/** As {@link errorResponse}, with pauses. */
export function errorResponseSteps(
  error: unknown,
  representation: Representation,
  isAuthorized: boolean,
): Steps<ServerResponse> {
  return StatusError.is(error) && isLong(error) && representation.format !== 'protobuf'
    ? longErrorResponse(error, representation, isAuthorized)
    : doneSteps(errorResponse(error, representation, isAuthorized));
}

function* longErrorResponse(
  failure: StatusError,
  representation: Representation,
  isAuthorized: boolean,
): Steps<ServerResponse> {
  yield;
  const body = yield* encodeTextSteps(failure.status as unknown as JsonValue, representation);
  return statusResponse(failure, body, representation, isAuthorized);
}

function statusResponse(
  { code, details }: StatusError,
  body: Uint8Array,
  { contentType }: Representation,
  isAuthorized: boolean,
): ServerResponse {
  const retryAfter = details?.retryAfterSeconds;
  return {
    status: code,
    headers: {
      'content-type': contentType,
      ...(retryAfter && { 'retry-after': String(retryAfter) }),
      ...(code === 403 && !isAuthorized && { 'x-content-type-options': 'nosniff' }),
    },
    body,
  };
}

/**
 * Returns the error that clients may see: a StatusError as it is. The text of any other error may contain paths, addresses or
 * secrets of the server and only belongs in the log.
 */
export function toPublicError(error: unknown): StatusError {
  return StatusError.is(error) ? error : INTERNAL_ERROR;
}

const INTERNAL_ERROR = new StatusError({
  code: 500,
  reason: 'InternalError',
  message: 'Internal error occurred: see the log of the server for details',
});

const PANIC = 'This request caused apiserver to panic. Look in the logs for details.\n';

/** Whether an error is a bug of the program; its text belongs in the log, not in a response (semantics/status#situations). */
export function isBug(error: unknown): boolean {
  return BUGS.some((kind) => error instanceof kind);
}

const BUGS = [TypeError, RangeError, ReferenceError, SyntaxError];

const UNAUTHORIZED = StatusError.unauthorized();
let unauthorizedInJson: ServerResponse | undefined;

/** Returns the 401 response for clients that are not authenticated. The one in JSON is created once. */
export function unauthorizedResponse(representation: Representation): ServerResponse {
  if (representation !== plainJson) return errorResponse(UNAUTHORIZED, representation);
  unauthorizedInJson ??= errorResponse(UNAUTHORIZED);
  return unauthorizedInJson;
}

/** Encodes a Status as a response body. */
export function encodeStatus(status: Status, representation: Representation): Uint8Array {
  if (representation.format === 'protobuf') return encodeProtobufStatus(status);
  return encodeText(status as unknown as JsonValue, representation);
}

/** Returns a response in plain text. */
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
