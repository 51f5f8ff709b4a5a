import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Duplex, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type RawRequest, readRequest } from './request-head.ts';
import { translatedHeaders, translatedRequest, translateLines } from './translation.ts';
import type { Words } from './words.ts';

/** Headers of one connection. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'content-length', 'transfer-encoding']);

interface Served {
  /** URLs of the servers. */
  readonly servers: readonly string[];
  /** Their authority, PEM. */
  readonly authority: string;
  /** Translates what passes; absent if servers and callers have the same vocabulary. */
  readonly words: Words | undefined;
}

/**
 * One address for several servers: each request goes to the next of them, as load balancers do it. A connection serves one request, so
 * that any can be answered by any server.
 */
export class Relay implements AsyncDisposable {
  readonly #served: Served;
  readonly #agent: Agent;
  readonly #listener: Server;
  readonly #sockets: Set<Socket> = new Set();
  #count = 0;

  private constructor(served: Served) {
    this.#served = served;
    this.#agent = new Agent({ keepAlive: true, ca: served.authority });
    this.#listener = createServer((socket) => void this.#serve(socket));
  }

  static async start(served: Served): Promise<Relay> {
    const relay = new Relay(served);
    relay.#listener.listen(0, '127.0.0.1');
    await once(relay.#listener, 'listening');
    return relay;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#listener.address() as AddressInfo).port}`;
  }

  async #serve(socket: Socket): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // who has gone away already needs no reset
    socket.on('error', () => {});
    try {
      const { words } = this.#served;
      const asked = await readRequest(socket);
      await this.#answer(await this.#ask(words ? translatedRequest(asked, words) : asked, socket), socket);
    } catch {
      // the caller sees what happened here: a connection that was reset
      socket.resetAndDestroy();
    }
  }

  async #ask({ method, target, headers, body }: RawRequest, socket: Socket): Promise<IncomingMessage> {
    const server = this.#served.servers[this.#count++ % this.#served.servers.length] as string;
    const { hostname, port } = new URL(server);
    const options = { hostname, port, method, path: target, headers, agent: this.#agent };
    const sent = request(options).end(body);
    socket.once('close', () => sent.destroy());
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  async #answer(response: IncomingMessage, socket: Socket): Promise<void> {
    const { words } = this.#served;
    const headers = words ? translatedHeaders(response.rawHeaders, words) : response.rawHeaders;
    const lines = [`HTTP/1.1 ${response.statusCode} ${response.statusMessage}`];
    for (let i = 0; i < headers.length; i += 2)
      if (!OF_CONNECTION.has((headers[i] as string).toLowerCase()))
        lines.push(`${headers[i]}: ${headers[i + 1]}`);
    const hasBody = !isEmpty(response);
    if (hasBody) lines.push('transfer-encoding: chunked');
    socket.write([...lines, 'connection: close', '', ''].join('\r\n'), 'latin1');
    const steps = hasBody ? [...(words ? translating(response, words) : []), inChunks()] : [];
    await pipeline([response, ...steps, socket]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
    this.#listener.close();
    await once(this.#listener, 'close');
  }
}

const isEmpty = ({ req, statusCode = 0 }: IncomingMessage & { readonly req?: ClientRequest }): boolean =>
  req?.method === 'HEAD' || statusCode === 204 || statusCode === 304;

/** Frames a body so that its caller sees where it ends, and that it was cut where it does not end. */
function inChunks(): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const head = `${chunk.length.toString(16)}\r\n`;
      done(
        null,
        chunk.length > 0 ? Buffer.concat([Buffer.from(head), chunk, Buffer.from('\r\n')]) : undefined,
      );
    },
    flush(done) {
      done(null, '0\r\n\r\n');
    },
  });
}

/** The steps that translate a body; those of Protobuf and CBOR stay as they are, since their texts have lengths. */
function translating({ headers, complete }: IncomingMessage, words: Words): readonly Duplex[] {
  if (/protobuf|cbor/.test(headers['content-type'] ?? '')) return [];
  const isCompressed = headers['content-encoding'] === 'gzip' && !complete;
  return isCompressed ? [createGunzip(), translateLines(words), createGzip()] : [translateLines(words)];
}
