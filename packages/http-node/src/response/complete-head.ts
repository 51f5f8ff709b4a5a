import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from '@ashlar/core';

/** Fields by which Node decides how a response is framed, or that it adds itself. */
const DECIDED_BY_NODE: ReadonlySet<string> = new Set([
  'connection',
  'content-disposition',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
]);

const NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/;
const INVALID_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Names that were found to be valid: most responses have the same few. */
const knownNames = new Set<string>();
const MAXIMUM_KNOWN_NAMES = 200;

/**
 * The head of a complete response, as Node writes it on a connection that stays open.
 * @param size of the body in bytes
 * @returns undefined if a field is not valid (RFC 9110 section 5.5), or is one that Node decides by
 */
export function completeHead(
  { status, headers }: Pick<ServerResponse, 'status' | 'headers'>,
  size: number,
  keepAliveMilliseconds: number,
): string | undefined {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'unknown'}\r\n`;
  for (const name in headers) {
    if (!isPlainName(name)) return undefined;
    const value = headers[name] as string | readonly string[];
    if (typeof value === 'string') {
      if (INVALID_IN_VALUE.test(value)) return undefined;
      text += `${name}: ${value}\r\n`;
    } else {
      if (value.some((line) => INVALID_IN_VALUE.test(line))) return undefined;
      for (const line of value) text += `${name}: ${line}\r\n`;
    }
  }
  return `${text}content-length: ${size}\r\n${fieldsOfConnection(keepAliveMilliseconds)}\r\n`;
}

function isPlainName(name: string): boolean {
  if (knownNames.has(name)) return true;
  if (!NAME.test(name) || DECIDED_BY_NODE.has(name)) return false;
  if (knownNames.size < MAXIMUM_KNOWN_NAMES) knownNames.add(name);
  return true;
}

let current = { second: -1, keepAliveMilliseconds: -1, text: '' };

/** Those that are the same for all responses of a second. */
function fieldsOfConnection(keepAliveMilliseconds: number): string {
  const second = Math.floor(Date.now() / 1000);
  if (current.second !== second || current.keepAliveMilliseconds !== keepAliveMilliseconds) {
    const date = new Date(second * 1000).toUTCString();
    const keepAlive =
      keepAliveMilliseconds > 0 ? `Keep-Alive: timeout=${Math.floor(keepAliveMilliseconds / 1000)}\r\n` : '';
    current = {
      second,
      keepAliveMilliseconds,
      text: `Date: ${date}\r\nConnection: keep-alive\r\n${keepAlive}`,
    };
  }
  return current.text;
}
