import type { IncomingMessage } from 'node:http';
import type { ServerResponse } from '@ashlar/core';

/** Maximum number of header lines of a request by default. */
export const MAXIMUM_HEADER_LINES = 1024;

/**
 * Maximum size of request line and header by default: Node reads a header in one piece, before anything is known of its sender, and copies
 * a long value once for every 16 KiB of it (semantics/verbs#limits).
 */
export const MAXIMUM_HEADER_BYTES: number = 256 * 1024;

/**
 * Returns the rejection of an HTTP/1.1 request with an ambiguous header that Node's parser accepts; undefined
 * for any other. Statuses are those of Go's server.
 */
export function refusalOfHttp1(incoming: IncomingMessage, maximumLines: number): ServerResponse | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = incoming;
  // a request line without a version counts as 0.9
  if (httpVersionMajor === 0) return badRequest('the request line has no version');
  if (httpVersionMajor !== 1) return unsupportedVersion;
  if (rawHeaders.length > 2 * maximumLines) return tooManyLines;
  const { hosts, codings, coding } = countLines(rawHeaders);
  if (hosts > 1) return badRequest('too many Host headers');
  if (hosts === 0 && httpVersionMinor > 0) return badRequest('missing required Host header');
  if (codings === 0) return undefined;
  if (httpVersionMinor === 0) return badRequest('a request of HTTP/1.0 has no transfer encoding');
  return codings > 1 || coding.toLowerCase() !== 'chunked' ? unsupportedCoding : undefined;
}

/**
 * Returns the rejection of an HTTP/2 request that names two hosts (RFC 9113 section 8.3.1); undefined for any
 * other.
 */
export function refusalOfHttp2(rawHeaders: readonly string[]): ServerResponse | undefined {
  const { hosts, host } = countLines(rawHeaders);
  if (hosts === 0) return undefined;
  const at = rawHeaders.indexOf(':authority');
  const isOther = at >= 0 && rawHeaders[at + 1] !== host;
  return hosts > 1 || isOther ? badRequest('too many Host headers') : undefined;
}

/** Number and values of the header fields that must be unique. */
interface CountedLines {
  readonly hosts: number;
  readonly host: string;
  readonly codings: number;
  readonly coding: string;
}

function countLines(raw: readonly string[]): CountedLines {
  let hosts = 0;
  let host = '';
  let codings = 0;
  let coding = '';
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] as string;
    // on the path of every request: most names differ by their length
    if (name.length === 4 && name.toLowerCase() === 'host') {
      hosts++;
      host = raw[i + 1] as string;
    } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      codings++;
      coding = raw[i + 1] as string;
    }
  }
  return { hosts, host, codings, coding };
}

function badRequest(why: string): ServerResponse {
  return plainRefusal(400, `400 Bad Request: ${why}`);
}

function plainRefusal(status: number, text: string): ServerResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: new TextEncoder().encode(text),
  };
}

const unsupportedVersion = plainRefusal(505, '505 HTTP Version Not Supported: unsupported protocol version');
const tooManyLines = plainRefusal(431, '431 Request Header Fields Too Large');
const unsupportedCoding = plainRefusal(501, 'Unsupported transfer encoding');
