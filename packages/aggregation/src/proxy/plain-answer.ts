import { encodeUtf8 } from '@ashlar/codec';
import type { ServerResponse } from '@ashlar/core';

/** An answer of this server instead of the other one. */
export function plainAnswer(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ServerResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff', ...headers },
    body: encodeUtf8(text),
  };
}
