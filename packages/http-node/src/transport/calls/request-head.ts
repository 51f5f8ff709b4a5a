import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { TransportRequest } from '@ashlar/core';

/** Names that were valid: those of calls are few. */
const validNames: Set<string> = new Set();
const MAXIMUM_NAMES = 256;

/** Returns the head of a request with a body. @throws TypeError for a header that cannot be sent */
export function requestHead(target: URL, { method, headers = {} }: TransportRequest, length: number): string {
  let head = `${method} ${target.pathname}${target.search} HTTP/1.1\r\nhost: ${target.host}\r\n`;
  for (const name of Object.keys(headers)) {
    const value = headers[name] ?? [];
    requireName(name);
    for (const line of typeof value === 'string' ? [value] : value) {
      validateHeaderValue(name, line);
      head += `${name}: ${line}\r\n`;
    }
  }
  return `${head}content-length: ${length}\r\nconnection: keep-alive\r\n\r\n`;
}

function requireName(name: string): void {
  if (validNames.has(name)) return;
  validateHeaderName(name);
  if (validNames.size < MAXIMUM_NAMES) validNames.add(name);
}
