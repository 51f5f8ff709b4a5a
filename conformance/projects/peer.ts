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
  /** CA file of its certificate. */
  readonly ca?: string | undefined;
}

/** Its response. */
export interface Answered {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: JsonObject;
}

/** Sends one request. Throws if the server cannot be reached. */
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

/** The comparable parts of a response: no identity, no time, no value in Go syntax. */
export function comparable({ status, warnings, body }: Answered): JsonObject {
  const content = body.kind === 'Status' ? statusOf(body) : objectOf(body);
  return { status, warnings: warnings.map(withoutDump).sort(), content: content };
}

function statusOf({ reason, message, details }: JsonObject): JsonObject {
  const causes = isJsonObject(details) && Array.isArray(details.causes) ? details.causes : undefined;
  if (!causes) return { reason: reason ?? '', message: sortedErrors(String(message)) };
  return {
    reason: reason ?? '',
    causes: causes.map((cause) => withoutDump(JSON.stringify(cause))).sort(),
  };
}

/** Strict decoding errors have the order of a map. */
function sortedErrors(message: string): string {
  return withoutDump(message).split(', ').sort().join(', ');
}

/** Objects and lists in messages are in Go syntax, in random order: only their presence is compared. */
function withoutDump(text: string): string {
  return text.replace(/Invalid value: (?:map\[|\[|\{).*(?:\]|\}|\)): /, 'Invalid value: …: ');
}

function objectOf({ metadata, ...rest }: JsonObject): JsonObject {
  const { uid, creationTimestamp, resourceVersion, managedFields, ...ownMetadata } = (metadata ??
    {}) as JsonObject;
  const fields = Array.isArray(managedFields)
    ? managedFields.map((entry) => ({ ...(entry as JsonObject), time: '' }))
    : [];
  const whole = { ...rest, metadata: { ...ownMetadata, managedFields: fields } };
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
