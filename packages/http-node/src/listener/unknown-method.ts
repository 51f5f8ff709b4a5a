import { IncomingMessage, METHODS, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { currentResponse } from '../connection/current-response.ts';
import { beginLastResponse, endThenDestroy } from './linger.ts';

/** An error of Node's parser. */
export interface ParserError extends NodeJS.ErrnoException {
  /** What the parser was given last. */
  readonly rawPacket?: Buffer;
  /** How much of it was parsed. */
  readonly bytesParsed?: number;
}

/** What a server does with a request whose method Node's parser does not know. */
export type RequestListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Handles a request with a method of its own (RFC 9110 section 9.1), which Node's parser rejects: whoever sends it is authenticated and
 * authorized as others are, and the path decides (semantics/status#situations). The connection is closed after the response.
 * @returns whether it was a request that can be handled: it begins where the parser's last packet begins, so that nothing of a body before
 * it is taken for its head, the head is complete and well formed, exactly its body follows, and no other response is being sent
 */
export function handleUnknownMethod(
  { rawPacket, bytesParsed }: ParserError,
  socket: Duplex,
  listener: RequestListener,
): boolean {
  if (!rawPacket || !(socket instanceof Socket) || currentResponse(socket)) return false;
  const request = readRequest(rawPacket);
  // the parser stops within the method
  if (!request || bytesParsed === undefined || bytesParsed > request.head.method.length) return false;
  const incoming = Object.assign(new IncomingMessage(socket), request.head, { complete: true });
  incoming.push(request.body);
  incoming.push(null);
  const outgoing = new ServerResponse(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => {
    outgoing.detachSocket(socket);
    endThenDestroy(socket);
  });
  listener(incoming, outgoing);
  beginLastResponse(socket);
  return true;
}

interface RequestHead {
  readonly method: string;
  readonly url: string;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
  readonly httpVersion: string;
  readonly rawHeaders: string[];
}

const REQUEST_LINE = /^([!#$%&'*+\-.^_`|~\w]+) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/;
const HEADER_LINE = /^([!#$%&'*+\-.^_`|~\w]+):([\t\x20-\x7e\x80-\xff]*)$/;
const END = '\r\n\r\n';

/** Returns a request whose body, if it has one, has arrived with its head. */
function readRequest(packet: Buffer): { readonly head: RequestHead; readonly body: Buffer } | undefined {
  const end = packet.indexOf(END);
  if (end < 0) return undefined;
  const head = readHead(packet.toString('latin1', 0, end));
  const body = packet.subarray(end + END.length);
  return head && body.length === bodyLength(head.rawHeaders) ? { head, body } : undefined;
}

function readHead(text: string): RequestHead | undefined {
  const [first = '', ...lines] = text.split('\r\n');
  const [, method = '', url = '', minor] = REQUEST_LINE.exec(first) ?? [];
  // a method that the parser knows was not what it stopped at
  if (method === '' || METHODS.includes(method)) return undefined;
  const rawHeaders: string[] = [];
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? [];
    if (name === undefined) return undefined;
    rawHeaders.push(name, value.trim());
  }
  return {
    ...{ method, url, rawHeaders },
    ...{ httpVersion: `1.${minor}`, httpVersionMajor: 1, httpVersionMinor: Number(minor) },
  };
}

const LENGTH = /^\d{1,15}$/;

/** Returns the length that a head announces for its body; undefined if it is not known, or told twice. */
function bodyLength(rawHeaders: readonly string[]): number | undefined {
  const values = new Map<string, string>();
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] as string).toLowerCase();
    if (name === 'transfer-encoding' || (name === 'content-length' && values.has(name))) return undefined;
    values.set(name, rawHeaders[i + 1] as string);
  }
  const length = values.get('content-length') ?? '0';
  return LENGTH.test(length) ? Number(length) : undefined;
}
