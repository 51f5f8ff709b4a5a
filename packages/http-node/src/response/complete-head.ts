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

/** A name that was found to be valid, with the line of its last value. */
interface KnownLine {
  value: string;
  line: string;
}

/** Most responses have the same few names, and most of their values. */
const knownLines = new Map<string, KnownLine>();
const MAXIMUM_KNOWN_NAMES = 200;
const MAXIMUM_KNOWN_CHARACTERS = 100;

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
    const value = headers[name] as string | readonly string[];
    const lines = typeof value === 'string' ? lineOf(name, value) : linesOf(name, value);
    if (lines === undefined) return undefined;
    text += lines;
  }
  return `${text}content-length: ${size}\r\n${fieldsOfConnection(keepAliveMilliseconds)}\r\n`;
}

/** Returns undefined for a field that is not valid, and for one that Node decides by. */
function lineOf(name: string, value: string): string | undefined {
  const known = knownLines.get(name);
  if (known?.value === value) return known.line;
  if ((!known && !isPlainName(name)) || INVALID_IN_VALUE.test(value)) return undefined;
  const line = `${name}: ${value}\r\n`;
  if (value.length <= MAXIMUM_KNOWN_CHARACTERS) remember(name, known, value, line);
  return line;
}

function linesOf(name: string, values: readonly string[]): string | undefined {
  let lines = '';
  for (const value of values) {
    const line = lineOf(name, value);
    if (line === undefined) return undefined;
    lines += line;
  }
  return lines;
}

function remember(name: string, known: KnownLine | undefined, value: string, line: string): void {
  if (known) {
    known.value = value;
    known.line = line;
  } else if (knownLines.size < MAXIMUM_KNOWN_NAMES) knownLines.set(name, { value, line });
}

const isPlainName = (name: string): boolean => NAME.test(name) && !DECIDED_BY_NODE.has(name);

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
