import { isJsonObject, type JsonValue, parseApiVersion } from '@ashlar/core';
import { DecodeError } from './decode-error.ts';
import { decodeUtf8 } from './utf8.ts';

/**
 * Demands that a decoded value names its kind, as objects without a built-in type must (semantics C3). An `apiVersion` of
 * several slashes counts as no kind at all.
 * @throws DecodeError `Object 'Kind' is missing in '…'` with the whole body.
 */
export function requireKind(value: JsonValue, body: Uint8Array): void {
  const { apiVersion, kind } = isJsonObject(value) ? value : {};
  const hasVersion = typeof apiVersion !== 'string' || parseApiVersion(apiVersion) !== undefined;
  if (typeof kind === 'string' && kind !== '' && hasVersion) return;
  throw new DecodeError(`Object 'Kind' is missing in '${decodeUtf8(body)}'`);
}
