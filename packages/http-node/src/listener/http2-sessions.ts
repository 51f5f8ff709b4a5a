import { randomInt } from 'node:crypto';
import {
  constants,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server as HttpsServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { SmallFrames } from '../connection/small-frames.ts';
import type { ExchangeContext } from './exchange-context.ts';
import { answerHttp2 } from './http2-exchange.ts';
import { LINGER_MILLISECONDS } from './linger.ts';
import type { ListenOptions } from './listen-options.ts';
import { MAXIMUM_HEADER_BYTES, MAXIMUM_HEADER_LINES } from './refused-head.ts';

/**
 * The HTTP/2 side of a TLS port: accepts the connections that negotiated it, and leaves the others to
 * HTTP/1.1.
 */
export class Http2Sessions {
  readonly #server: Http2Server;
  readonly #context: ExchangeContext;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #goawayChance: number;

  constructor(context: ExchangeContext, options: ListenOptions) {
    this.#context = context;
    this.#goawayChance = options.goawayChance ?? 0;
    this.#server = createServer({
      settings: {
        enablePush: false,
        // as the reference: what a client may send at once before it knows the settings
        maxConcurrentStreams: options.maximumConcurrentStreams ?? 100,
        maxHeaderListSize: options.maximumHeaderBytes ?? MAXIMUM_HEADER_BYTES,
        initialWindowSize: 256 * 1024,
      },
      maxHeaderListPairs: options.maximumHeaderLines ?? MAXIMUM_HEADER_LINES,
      // hundreds of watches share a session: pending ones must not keep others from being opened
      maxSessionMemory: 128,
    });
    const idle = options.keepAliveMilliseconds ?? 90_000;
    this.#server.on('session', (session) => this.#opened(session, idle));
  }

  /** Intercepts the connections of a TLS server before its HTTP/1.1 side. */
  takeFrom(server: HttpsServer): void {
    const http1 = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
    server.removeAllListeners('secureConnection');
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') this.#server.emit('connection', socket);
      else for (const listener of http1) listener.call(server, socket);
    });
  }

  /** Completes requests in flight and rejects new ones. */
  close(): void {
    for (const session of this.#sessions) session.close();
  }

  #opened(session: ServerHttp2Session, idleMilliseconds: number): void {
    this.#sessions.add(session);
    let open = 0;
    const smallFrames = new SmallFrames(session);
    // pings and settings do not count as activity: only streams do
    const idle = setTimeout(() => {
      if (open === 0) closeSoon(session);
    }, idleMilliseconds);
    session.once('close', () => {
      clearTimeout(idle);
      this.#sessions.delete(session);
    });
    // an error of a session ends its streams, which report it
    session.on('error', () => {});
    session.on(
      'stream',
      (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, rawHeaders: string[]) => {
        // a broken stream is detected by its `close`
        stream.on('error', () => {});
        open++;
        // it is still answered, as are the others in flight
        if (isDrawn(this.#goawayChance)) session.close();
        if (!(flags & constants.NGHTTP2_FLAG_END_STREAM)) smallFrames.count(stream);
        stream.once('close', () => {
          if (--open === 0) idle.refresh();
        });
        this.#context.rounds.add(session, () =>
          answerHttp2(this.#context, { stream, headers, flags, rawHeaders }),
        );
      },
    );
  }
}

/** Whether this is one of the requests after which the connection is closed. */
function isDrawn(chance: number): boolean {
  return chance > 0 && randomInt(DRAWS) < chance * DRAWS;
}

const DRAWS = 2 ** 32;

/** Sends GOAWAY to the client, whether it reads or not. */
function closeSoon(session: ServerHttp2Session): void {
  session.close();
  const timer = setTimeout(() => session.destroy(), LINGER_MILLISECONDS);
  session.once('close', () => clearTimeout(timer));
}
