import { isJsonObject, type Status, StatusError, type StatusReason } from '@ashlar/core';
import { decodeErrorBody } from './client-codec.ts';

/** Reasons of responses without a Status. */
const REASONS: Readonly<Record<number, StatusReason>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  406: 'NotAcceptable',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};

/** Returns the error of a response other than 2xx: its Status object, or its code and text if it has none (semantics/status#situations). */
export function responseError(
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Uint8Array,
): StatusError {
  const sent = statusObject(body);
  if (sent) return StatusError.fromStatus({ ...sent, code: sent.code ?? status });
  const retryAfterSeconds = retryAfter(headers);
  return new StatusError({
    code: status,
    reason: REASONS[status] ?? '',
    message: new TextDecoder().decode(body).trim() || `the server answered ${status}`,
    ...(retryAfterSeconds > 0 && { details: { retryAfterSeconds } }),
  });
}

/** Seconds after which to retry; 0 by default. */
export function retryAfter(headers: Readonly<Record<string, string>>): number {
  const seconds = Number(headers['retry-after'] ?? 0);
  return Number.isInteger(seconds) && seconds > 0 ? seconds : 0;
}

function statusObject(body: Uint8Array): Status | undefined {
  try {
    const value = decodeErrorBody(body);
    return isJsonObject(value as never) && (value as unknown as Status).kind === 'Status'
      ? (value as Status)
      : undefined;
  } catch {
    return undefined;
  }
}
