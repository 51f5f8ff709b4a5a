import { type BodyKind, DecodeError, unrecognizedBody } from '@ashlar/codec';
import { goQuote, parseApiVersion, StatusError, type Steps } from '@ashlar/core';

/**
 * Decodes a body and converts decoding errors to API errors.
 * @param expected the kind of a body that does not name one
 * @throws StatusError 400 if `decode` throws a DecodeError: it names the expected kind and, if known, the kind of the body; 413 if
 * the body has too many values
 */
export function withBodyErrors<T>(bytes: Uint8Array, expected: string | BodyKind, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw toApiError(bytes, expected, error);
  }
}

/** Like `withBodyErrors`, in steps. */
export function* withBodyErrorsSteps<T>(
  bytes: Uint8Array,
  expected: string | BodyKind,
  decode: Steps<T>,
): Steps<T> {
  try {
    return yield* decode;
  } catch (error) {
    throw toApiError(bytes, expected, error);
  }
}

function toApiError(bytes: Uint8Array, expected: string | BodyKind, error: unknown): unknown {
  if (!DecodeError.is(error)) return error;
  if (error.kind === 'too-large') return documentTooLarge(error);
  const { kind, apiVersion } = typeof expected === 'string' ? { kind: expected, apiVersion: '' } : expected;
  if (!error.body) return unrecognizedBody(kind, error.message, bytes);
  const body = { kind: error.body.kind || kind, apiVersion: error.body.apiVersion || apiVersion };
  return StatusError.badRequest(`${notHandled(body, kind)}: ${error.message}`, error);
}

/** Returns the error of a document with too many values. */
export function documentTooLarge(error: DecodeError): StatusError {
  return StatusError.requestEntityTooLarge(error.message);
}

/** Returns the start of the error message for a body whose kind is known. */
export function notHandled(body: BodyKind, kind: string): string {
  const { version = '' } = parseApiVersion(body.apiVersion) ?? {};
  return `${body.kind} in version ${goQuote(version)} cannot be handled as a ${kind}`;
}
