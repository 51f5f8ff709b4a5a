import type { Socket } from 'node:net';

/** A request as it stands on the wire. */
export interface RawRequest {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * Reads one request, with a method and a path that no parser has judged.
 * @throws Error if the connection ends before, or the length of the body is not declared in the head
 */
export async function readRequest(socket: Socket): Promise<RawRequest> {
  let received = Buffer.alloc(0);
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received = Buffer.concat([received, chunk]);
    const request = requestIn(received);
    if (request) return request;
  }
  throw new Error('the connection ended within a request');
}

function requestIn(received: Buffer): RawRequest | undefined {
  const end = received.indexOf(END_OF_HEAD);
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = lines.flatMap((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const length = lengthOf(headers);
  const start = end + END_OF_HEAD.length;
  if (received.length < start + length) return undefined;
  return { method, target, headers, body: received.subarray(start, start + length) };
}

function lengthOf(headers: readonly string[]): number {
  const named = (name: string): string | undefined => {
    const at = headers.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
    return at < 0 ? undefined : headers[at + 1];
  };
  if (named('transfer-encoding') !== undefined) throw new Error('a body in chunks');
  return Number(named('content-length') ?? 0);
}
