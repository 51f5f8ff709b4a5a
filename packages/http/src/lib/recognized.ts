import { type BodyKind, DecodeError, unrecognizedBody } from '@ashlar/codec';
import { goQuote, parseApiVersion, StatusError } from '@ashlar/core';

/**
 * Reads a body.
 * @param expected what a body is that does not say
 * @throws StatusError 400 where `decode` throws a DecodeError: it names the expected kind and, where that could be told, what the
 * body is
 */
export function recognized<T>(bytes: Uint8Array, expected: string | BodyKind, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { kind, apiVersion } = typeof expected === 'string' ? { kind: expected, apiVersion: '' } : expected;
    if (!error.body) throw unrecognizedBody(kind, error.message, bytes);
    const body = { kind: error.body.kind || kind, apiVersion: error.body.apiVersion || apiVersion };
    throw StatusError.badRequest(`${notHandled(body, kind)}: ${error.message}`, error);
  }
}

/** How refusals of a body begin that is known for what it is. */
export function notHandled(body: BodyKind, kind: string): string {
  const { version = '' } = parseApiVersion(body.apiVersion) ?? {};
  return `${body.kind} in version ${goQuote(version)} cannot be handled as a ${kind}`;
}
