import { readFileSync } from 'node:fs';
import {
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request as requestPlain,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { isJsonObject, type JsonObject, type JsonValue } from '@ashlar/core';

/** A server that is asked. */
export interface Peer {
  readonly url: string;
  readonly token: string;
  /** File of the authority of its certificate. */
  readonly ca?: string | undefined;
}

/** What it answered. */
export interface Answered {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: JsonObject;
}

/** Asks once. Throws where the server cannot be reached. */
export function ask(
  peer: Peer,
  method: string,
  path: string,
  body?: JsonValue,
  headers: OutgoingHttpHeaders = {},
): Promise<Answered> {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const options: RequestOptions & { ca?: Buffer } = {
    method,
    headers: {
      authorization: `Bearer ${peer.token}`,
      'user-agent': 'projects',
      ...(text !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      }),
      ...headers,
    },
  };
  if (peer.ca) options.ca = readFileSync(peer.ca);
  const send = peer.url.startsWith('https:') ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    send(peer.url + path, options, (answer) => resolve(answered(answer)))
      .on('error', reject)
      .end(text);
  });
}

async function answered(answer: IncomingMessage): Promise<Answered> {
  const text = await new Response(answer as unknown as ReadableStream).text();
  const body = text.startsWith('{') ? (JSON.parse(text) as JsonObject) : { text };
  return { status: answer.statusCode ?? 0, warnings: answer.headersDistinct.warning ?? [], body };
}

/** What of an answer both servers must agree on: no identity, no time, no value in the notation of Go. */
export function comparable({ status, warnings, body }: Answered): JsonObject {
  const told = body.kind === 'Status' ? statusOf(body) : objectOf(body);
  return { status, warnings: warnings.map(withoutDump).sort(), told };
}

function statusOf({ reason, message, details }: JsonObject): JsonObject {
  const causes = isJsonObject(details) && Array.isArray(details.causes) ? details.causes : undefined;
  if (!causes) return { reason: reason ?? '', message: sortedErrors(String(message)) };
  return {
    reason: reason ?? '',
    causes: causes.map((cause) => withoutDump(JSON.stringify(cause))).sort(),
  };
}

/** A rejection of strict decoding names its errors in the order of a map. */
function sortedErrors(message: string): string {
  return withoutDump(message).split(', ').sort().join(', ');
}

/** Objects and lists in messages stand there in the notation of Go, in no order: that they do is all that is compared. */
function withoutDump(text: string): string {
  return text.replace(/Invalid value: (?:map\[|\[|\{).*(?:\]|\}|\)): /, 'Invalid value: …: ');
}

function objectOf({ metadata, ...rest }: JsonObject): JsonObject {
  const { uid, creationTimestamp, resourceVersion, managedFields, ...kept } = (metadata ?? {}) as JsonObject;
  const fields = Array.isArray(managedFields)
    ? managedFields.map((entry) => ({ ...(entry as JsonObject), time: '' }))
    : [];
  const whole = { ...rest, metadata: { ...kept, managedFields: fields } };
  return JSON.parse(
    JSON.stringify(whole, (_, value: JsonValue) => (isJsonObject(value) ? sortedKeys(value) : value)),
  ) as JsonObject;
}

function sortedKeys(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, value[key] as JsonValue]),
  );
}
