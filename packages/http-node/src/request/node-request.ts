import type { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
import type { Connection, ProtocolOffer, ServerRequest, WebSocketOffer } from '@ashlar/core';
import { departures } from '../listener/departures.ts';
import { announcedLength, type BodyReading, readBody } from './request-body.ts';
import { RequestHeaderLines } from './request-header-lines.ts';
import { streamBody } from './streamed-body.ts';

/** The parts of a request that are common to both protocols. */
export interface RequestParts {
  readonly method: string;
  /** As sent; an absolute form (RFC 9112 section 3.2.2) is reduced to path and query. */
  readonly target: string;
  /** Alternating names and values. */
  readonly rawHeaders: readonly string[];
  readonly connection: Connection;
  readonly stream: Readable;
  /** The writable side: its `close` ends the exchange; only streams of HTTP/2 have `aborted`. */
  readonly answer: EventEmitter & {
    readonly closed: boolean;
    readonly writableFinished: boolean;
    readonly aborted?: boolean;
  };
  /** Whether the body has ended with the header; undefined if the header fields decide (HTTP/1.1). */
  readonly ended?: boolean;
  /** How long a client may send nothing while its body is read. */
  readonly silenceMilliseconds: number;
  /** The offer of a caller that asks for a WebSocket. */
  readonly webSocket?: WebSocketOffer | undefined;
  /** The protocol that a caller asks to switch to. */
  readonly upgrade?: ProtocolOffer | undefined;
  /** Requests the body from a client that waits for it (RFC 9110 section 10.1.1). */
  readonly sendContinue?: (() => void) | undefined;
}

/** A request over a socket: thin, and lazy in all that most handlers never use. */
export class NodeRequest implements ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: RequestHeaderLines;
  readonly connection: Connection;
  readonly webSocket: WebSocketOffer | undefined;
  readonly upgrade: ProtocolOffer | undefined;
  readonly #parts: RequestParts;
  #controller: AbortController | undefined;
  #body: BodyReading | undefined;

  constructor(parts: RequestParts) {
    this.#parts = parts;
    this.method = parts.method;
    this.url = originForm(parts.target);
    this.headers = new RequestHeaderLines(parts.rawHeaders, parts.target.length - this.url.length);
    this.connection = parts.connection;
    this.webSocket = parts.webSocket;
    this.upgrade = parts.upgrade;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      const { answer } = this.#parts;
      if (answer.closed) this.#closed();
      else answer.once('close', () => departures.add(() => this.#closed()));
    }
    return this.#controller.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    this.#body ??= this.#read(limit);
    return this.#body.bytes;
  }

  bodyStream(): AsyncIterable<Uint8Array> | undefined {
    const { stream, sendContinue, silenceMilliseconds } = this.#parts;
    const length = this.#length();
    if (length === 0) return undefined;
    const reading = streamBody({ stream, length, silenceMilliseconds });
    this.#body = {
      bytes: Promise.reject(new TypeError('the body is read as a stream')),
      giveUp: reading.giveUp,
    };
    this.#body.bytes.catch(() => {});
    sendContinue?.();
    return reading.pieces;
  }

  /** Whether the client is still waiting to send the body. */
  get awaitsContinue(): boolean {
    return this.#parts.sendContinue !== undefined && this.#body === undefined;
  }

  /**
   * Stops reading the body, since the request has been answered: a pending read fails. Returns whether
   * reading had begun.
   */
  giveUpBody(): boolean {
    const giveUp = this.#body?.giveUp;
    giveUp?.(new Error('the request was answered before its body had arrived'));
    return giveUp !== undefined;
  }

  /** Aborts the signal, if it was used. */
  abort(reason: Error): void {
    this.#controller?.abort(reason);
  }

  #read(limit: number): BodyReading {
    const { stream, sendContinue, silenceMilliseconds } = this.#parts;
    const body = readBody({ stream, length: this.#length(), silenceMilliseconds }, limit);
    sendContinue?.();
    return body;
  }

  #length(): number | undefined {
    const length = announcedLength(this.headers.get('content-length'));
    if (length !== undefined) return length;
    const ended = this.#parts.ended ?? this.headers.get('transfer-encoding') === undefined;
    return ended ? 0 : undefined;
  }

  #closed(): void {
    const { writableFinished, aborted } = this.#parts.answer;
    if (!writableFinished || aborted) this.abort(new Error('the caller went away'));
  }
}

function originForm(target: string): string {
  if (target.charCodeAt(0) === 47 || target === '*') return target;
  if (!/^https?:\/\//i.test(target)) return target;
  let at = target.indexOf('//') + 2;
  while (at < target.length && !ENDS_OF_AUTHORITY.includes(target[at] as string)) at++;
  return target[at] === '/' ? target.slice(at) : `/${target.slice(at)}`;
}

const ENDS_OF_AUTHORITY = '/?#';
