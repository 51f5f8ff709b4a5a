import { type BodyKind, DecodeError, unrecognizedBody } from '@ashlar/codec';
import { goQuote, parseApiVersion, StatusError, type Steps } from '@ashlar/core';

/**
 * Reads a body.
 * @param expected what a body is that does not say
 * @throws StatusError 400 where `decode` throws a DecodeError: it names the expected kind and, where that could be told, what the
 * body is; 413 where the body has more values than are read
 */
export function recognized<T>(bytes: Uint8Array, expected: string | BodyKind, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    throw bodyRefused(bytes, expected, error);
  }
}

/** As `recognized`, with the pauses of the decoding. */
export function* recognizedSteps<T>(
  bytes: Uint8Array,
  expected: string | BodyKind,
  decode: Steps<T>,
): Steps<T> {
  try {
    return yield* decode;
  } catch (error) {
    throw bodyRefused(bytes, expected, error);
  }
}

function bodyRefused(bytes: Uint8Array, expected: string | BodyKind, error: unknown): unknown {
  if (!DecodeError.is(error)) return error;
  if (error.kind === 'too-large') return documentTooLarge(error);
  const { kind, apiVersion } = typeof expected === 'string' ? { kind: expected, apiVersion: '' } : expected;
  if (!error.body) return unrecognizedBody(kind, error.message, bytes);
  const body = { kind: error.body.kind || kind, apiVersion: error.body.apiVersion || apiVersion };
  return StatusError.badRequest(`${notHandled(body, kind)}: ${error.message}`, error);
}

/** The refusal of a document with more values than are read. */
export function documentTooLarge(error: DecodeError): StatusError {
  return StatusError.requestEntityTooLarge(error.message);
}

/** How refusals of a body begin that is known for what it is. */
export function notHandled(body: BodyKind, kind: string): string {
  const { version = '' } = parseApiVersion(body.apiVersion) ?? {};
  return `${body.kind} in version ${goQuote(version)} cannot be handled as a ${kind}`;
}
