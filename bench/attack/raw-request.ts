import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { whenAwakeFor } from './awake-time.ts';

/** A raw request. */
export interface HostileRequest {
  readonly method?: string;
  /** Path and query, sent as they are. */
  readonly path: string;
  /** Header lines, without line ends; `Host`, and for a body `Content-Length`, are added unless `bare`. */
  readonly headers?: readonly string[];
  readonly body?: string | Uint8Array;
  /** Whether only the given header lines are sent. */
  readonly bare?: boolean;
  /** Timeout in milliseconds. Default 60,000. */
  readonly patience?: number;
  /** How many responses are read: `body` may hold further requests. Default 1. */
  readonly responses?: number;
  /** Bytes that the server reads besides, because of the request: what a webhook responds to it. Default 0. */
  readonly readBesides?: number;
}

export interface RawAnswer {
  /** 0 if the connection ended without one. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Opens a connection; by default over TLS, and in HTTP/1.1. */
export function openSocket(port: number, tls = true): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const host = '127.0.0.1';
    // the server is on this machine, and generated its certificate for this run
    const socket: Socket = tls
      ? connectTls({ port, host, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] }, () => ready())
      : connectPlain({ port, host }, () => ready());
    const ready = (): void => {
      socket.off('error', reject);
      socket.on('error', () => {});
      resolve(socket);
    };
    socket.once('error', reject);
  });
}

const written = new WeakMap<HostileRequest, Buffer>();

/** The bytes of a request, built once: requests of megabytes are sent repeatedly. */
export function requestBytes(request: HostileRequest): Buffer {
  const bytes = written.get(request) ?? bytesOf(request);
  written.set(request, bytes);
  return bytes;
}

function bytesOf({ method = 'GET', path, headers = [], body, bare }: HostileRequest): Buffer {
  const bytes = Buffer.from(body ?? '');
  const usual =
    body === undefined ? ['Host: localhost'] : ['Host: localhost', `Content-Length: ${bytes.length}`];
  const lines = [`${method} ${path} HTTP/1.1`, ...(bare ? [] : usual), ...headers, '', ''];
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), bytes]);
}

/** Writes bytes and reads one response, or some of which the first is returned; reuses the connection if the server allows. */
export function exchange(
  socket: Socket,
  bytes: Uint8Array,
  patience = 60_000,
  responses = 1,
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let wanted: number | undefined;
    const counted = responses > 1 ? new ResponseCounter(responses) : undefined;
    const done = (): void => {
      giveUp();
      socket.off('data', onData).off('close', done);
      resolve(answerOf(Buffer.concat(chunks).toString('latin1')));
    };
    const onData = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      if (counted) {
        if (counted.isLast(chunk)) done();
        return;
      }
      wanted ??= lengthOf(Buffer.concat(chunks).toString('latin1'));
      const chunked = wanted === Number.POSITIVE_INFINITY;
      if (wanted !== undefined && (chunked ? endsChunked(chunk) : length >= wanted)) done();
    };
    const giveUp = whenAwakeFor(patience, () => socket.destroy());
    if (socket.destroyed) {
      done();
      return;
    }
    socket.on('data', onData).on('close', done);
    socket.write(bytes);
  });
}

const STATUS_LINE = 'HTTP/1.1 ';

/** Counts responses by their status lines; what follows the last one is not waited for. */
class ResponseCounter {
  #left: number;
  /** The end of the last chunk, which may hold the beginning of a status line. */
  #rest = '';

  constructor(count: number) {
    this.#left = count;
  }

  isLast(chunk: Buffer): boolean {
    const text = this.#rest + chunk.toString('latin1');
    this.#left -= text.split(STATUS_LINE).length - 1;
    this.#rest = text.slice(1 - STATUS_LINE.length);
    return this.#left <= 0;
  }
}

function endsChunked(chunk: Buffer): boolean {
  return chunk.toString('latin1', Math.max(0, chunk.length - 5)) === '0\r\n\r\n';
}

/** Length of a complete response, by its header; undefined before that is complete. */
function lengthOf(received: string): number | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.slice(0, end);
  if (/^transfer-encoding: chunked/im.test(head)) return Number.POSITIVE_INFINITY;
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return end + 4 + Number(length ?? 0);
}

function answerOf(received: string): RawAnswer {
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1] ?? 0);
  const end = received.indexOf('\r\n\r\n');
  return end < 0
    ? { status, head: received, body: '' }
    : { status, head: received.slice(0, end), body: received.slice(end + 4) };
}
