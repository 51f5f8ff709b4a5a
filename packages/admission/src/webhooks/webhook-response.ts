import {
  DecodeError,
  type DocumentLimits,
  decodeJsonSteps,
  decodeYamlSteps,
  unreadableKind,
} from '@ashlar/codec';
import {
  errorMessage,
  goQuote,
  isJsonObject,
  type JsonValue,
  type OutgoingResponse,
  RefusedCallError,
  type Steps,
  UnusableResponseError,
} from '@ashlar/core';

/** Returns the milliseconds after which an overloaded webhook wants to be called again. */
export function retryDelayMilliseconds({ status, headers }: OutgoingResponse): number | undefined {
  const seconds = headers['retry-after'] ?? '';
  if ((status !== 429 && status < 500) || !/^[0-9]{1,4}$/.test(seconds)) return undefined;
  // even a webhook that says 0 is not called without a pause
  return Math.max(1, Number(seconds)) * 1000;
}

/** The last of the statuses that stand for success. */
const LAST_SUCCESS = 206;

/** The value of a response. @throws RefusedCallError for another status than those of success, UnusableResponseError for what is neither JSON nor YAML */
export function* readWebhookResponseSteps(
  response: OutgoingResponse,
  limits: DocumentLimits | undefined,
): Steps<JsonValue> {
  if (response.status < 200 || response.status > LAST_SUCCESS)
    throw new RefusedCallError(response.status, yield* refusalTextSteps(response));
  if (response.bytes.length === 0) throw new UnusableResponseError(emptyText(response));
  try {
    const decode = isJson(response.bytes) ? decodeJsonSteps : decodeYamlSteps;
    return (yield* decode(response.bytes, limits)).value;
  } catch (error) {
    const why = errorMessage(error);
    const isTooLarge = DecodeError.is(error) && error.kind === 'too-large';
    throw new UnusableResponseError(isTooLarge ? why : unreadableKind(why), { cause: error });
  }
}

/** Whether a text begins as an object of JSON does; others are read as YAML, whatever their content type. */
function isJson(bytes: Uint8Array): boolean {
  return bytes.find((byte) => byte > SPACE) === BRACE;
}

const SPACE = 0x20;
const BRACE = 0x7b;

const emptyText = ({ status, headers }: OutgoingResponse): string =>
  `0-length response with status code: ${status} and content type: ${headers['content-type'] || 'application/json'}`;

/** Maximum length of an error message of the webhook that is returned to clients. */
const MAXIMUM_REFUSAL = 2048;

const NOT_FOUND = 'the server could not find the requested resource';
/** What stands for the text of a response that has none. */
const UNKNOWN = 'unknown';

/** Messages of clients for error responses without a message. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: NOT_FOUND,
  405: 'the server does not allow this method on the requested resource',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};

function* refusalTextSteps({ status, headers, bytes }: OutgoingResponse): Steps<string> {
  if (REDIRECTS.has(status)) return NOT_FOUND;
  const message = (yield* messageSteps(bytes)) ?? REFUSALS[status];
  if (message !== undefined) return message;
  const type = headers['content-type'] ?? '';
  const isText = type === '' || type.startsWith('text/');
  const text = isText ? new TextDecoder().decode(bytes.subarray(0, MAXIMUM_REFUSAL)).trim() : UNKNOWN;
  if (status === 406 && (text === '' || text === UNKNOWN))
    return 'the server was unable to respond with a content type that the client supports';
  if (EXPLAINED.has(status)) return text;
  return status < 500
    ? `the server responded with the status code ${status} but did not return more information`
    : `an error on the server (${goQuote(text)}) has prevented the request from succeeding`;
}

/** Statuses that lead to another address, and are not followed. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Statuses whose text is returned to clients. */
const EXPLAINED: ReadonlySet<number> = new Set([403, 406, 415]);

/** The message of a Status. */
function* messageSteps(bytes: Uint8Array): Steps<string | undefined> {
  try {
    const { value } = yield* decodeJsonSteps(bytes);
    const status = isJsonObject(value) && value.kind === 'Status' && value.apiVersion === 'v1' ? value : {};
    return typeof status.message === 'string' && status.message !== '' ? status.message : undefined;
  } catch {
    return undefined;
  }
}
