import {
  callForBytes,
  type JsonValue,
  type OutgoingCallOptions,
  type TransportRequest,
  UnusableResponseError,
} from '@ashlar/core';
import { decodeJson } from './json-decode.ts';

/**
 * Calls an external service and decodes the JSON of a successful response, as `callForBytes` returns its bytes.
 * @throws UnusableResponseError for no JSON, too
 */
export async function callForJson(
  options: OutgoingCallOptions,
  url: string,
  request: TransportRequest,
): Promise<JsonValue> {
  const bytes = await callForBytes(options, url, request);
  try {
    return decodeJson(bytes).value;
  } catch {
    throw new UnusableResponseError('the response is not JSON');
  }
}
