import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { StatusError } from '@ashlar/core';
import { endThenDestroy, hasLastResponse } from './linger.ts';
import { handleUnknownMethod, type ParserError, type RequestListener } from './unknown-method.ts';

/**
 * Responds to what Node's parser rejects: a request with an unknown method is handled as others are, and is one that a path does not
 * accept if it cannot be (semantics/status#situations); a header that is too long; everything else as a bad request. The connection
 * is closed afterwards. If no parser was involved, as in a failed TLS handshake, there is no response.
 */
export function respondUnreadable(server: HttpServer | HttpsServer): void {
  server.on('clientError', (error: ParserError, socket: Duplex) => {
    if (socket.writable && error.code?.startsWith('HPE_') && hasLastResponse(socket)) return;
    if (!socket.writable || !isOfParser(error)) return socket.destroy();
    const isMethod = error.code === 'HPE_INVALID_METHOD';
    const handle: RequestListener = (...exchange) => server.emit('request', ...exchange);
    if (isMethod && handleUnknownMethod(error, socket, handle)) return;
    endThenDestroy(socket, answerTo(error));
  });
}

function isOfParser({ code = '' }: ParserError): boolean {
  return code.startsWith('HPE_') || code.startsWith('ERR_HTTP_');
}

/** A method as RFC 9110 section 9.1 spells it, known or not. */
const METHOD = /^[!#$%&'*+\-.^_`|~\w]+ /;

function answerTo({ code = '', rawPacket }: ParserError): string {
  if (code === 'HPE_INVALID_METHOD' && !METHOD.test(rawPacket?.toString('latin1', 0, 100) ?? ''))
    return BAD_REQUEST;
  return ANSWERS[code] ?? BAD_REQUEST;
}

function plainResponse(line: string): string {
  return `HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
}

function methodNotAllowed(): string {
  const body = `${JSON.stringify(StatusError.methodNotAllowed().status)}\n`;
  const head = `HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-type: application/json\r\ncache-control: no-cache, private\r\n`;
  return `${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

const BAD_REQUEST = plainResponse('400 Bad Request');

const ANSWERS: Readonly<Record<string, string>> = {
  HPE_INVALID_METHOD: methodNotAllowed(),
  HPE_HEADER_OVERFLOW: plainResponse('431 Request Header Fields Too Large'),
  ERR_HTTP_REQUEST_TIMEOUT: plainResponse('408 Request Timeout'),
};
