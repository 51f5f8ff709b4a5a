import { connect as connectSocket, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TransportTls } from '@ashlar/core';
import { HpackDecoder } from './hpack-decoder.ts';
import { HpackEncoder } from './hpack-encoder.ts';
import type { HeaderField } from './hpack-static-table.ts';
import {
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  FrameFlag,
  FrameType,
  Http2Code,
  Http2FrameReader,
  Http2Setting,
  toHttp2Frame,
  withoutPadding,
  writeFrameHead,
} from './http2-frames.ts';
import { Http2Stream, type StreamFailure, type StreamObserver } from './http2-stream.ts';

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

/** Windows as they are before anybody says otherwise. */
const USUAL_WINDOW = 65_535;

/** Flow control holds back a whole page, or a burst of events, at the usual 64 KB. */
const STREAM_WINDOW = 4 << 20;
const CONNECTION_WINDOW = 32 << 20;

/** Bytes of headers that are put together at most. */
const HEADER_BYTES = 1 << 20;

/** Smaller pieces are copied together before they go to the socket. */
const COPY_BYTES = 64 << 10;

interface Unopened {
  readonly stream: Http2Stream;
  readonly fields: readonly HeaderField[];
}

/**
 * A connection of HTTP/2 (RFC 9113), as far as a client needs it that makes calls and takes no pushes. What is asked for in one turn of
 * the event loop goes to the socket in one piece, and calls cost no more than their frames: that is what it is here for.
 */
export class Http2Connection {
  /** Told once when no further stream can be opened: the other side has said so, or the connection has ended. */
  lost: () => void = () => {};
  readonly #socket: Socket;
  readonly #prelude: readonly HeaderField[];
  readonly #encoder: HpackEncoder = new HpackEncoder();
  readonly #decoder: HpackDecoder = new HpackDecoder();
  readonly #streams: Map<number, Http2Stream> = new Map();
  /** Streams with bytes that no window has let through yet. */
  readonly #held: Set<Http2Stream> = new Set();
  /** Streams that wait for others to end. */
  readonly #unopened: Unopened[] = [];
  readonly #pings: ((error?: Error) => void)[] = [];
  #out: Uint8Array[] = [];
  #isFlushing: boolean = false;
  #nextId: number = 1;
  #window: number = USUAL_WINDOW;
  #streamWindow: number = USUAL_WINDOW;
  #frameBytes: number = FRAME_BYTES;
  #mostStreams: number = Number.POSITIVE_INFINITY;
  #taken: number = 0;
  /** Headers whose last part has not come. */
  #block: { readonly stream: number; readonly flags: number; readonly parts: Buffer[] } | undefined;
  #isClosing: boolean = false;
  #failure: Error | undefined;

  /** A socket that speaks to the endpoint; it says itself when it is connected. */
  static connect(endpoint: URL, tls: TransportTls | undefined): Socket {
    const host = endpoint.hostname.replace(/^\[|\]$/g, '');
    if (endpoint.protocol === 'http:')
      return connectSocket({ host, port: Number(endpoint.port || 80), noDelay: true });
    const { certificateAuthorities, certificate, key, serverName, insecure } = tls ?? {};
    return connectTls({
      host,
      port: Number(endpoint.port || 443),
      ALPNProtocols: ['h2'],
      ...(certificateAuthorities !== undefined && { ca: certificateAuthorities }),
      ...(certificate !== undefined && { cert: certificate }),
      ...(key !== undefined && { key }),
      ...(serverName !== undefined && { servername: serverName }),
      ...(insecure && { rejectUnauthorized: false }),
    }).setNoDelay(true);
  }

  /** @param socket is connected */
  constructor(socket: Socket, endpoint: URL) {
    this.#socket = socket;
    this.#prelude = [
      [':method', 'POST'],
      [':scheme', endpoint.protocol.slice(0, -1)],
      [':authority', endpoint.host],
    ];
    const reader = new Http2FrameReader((type, flags, stream, payload) =>
      this.#take(type, flags, stream, payload),
    );
    socket.on('data', (chunk: Buffer) => this.#guarded(() => reader.push(chunk)));
    socket.on('error', (error) => {
      this.#failure ??= error;
    });
    socket.on('end', () => this.#socket.destroy());
    socket.on('close', () => this.#end());
    this.#greet();
  }

  /** Nothing can be sent or come any more. */
  get isDestroyed(): boolean {
    return this.#socket.destroyed;
  }

  /** Opens a stream. Undefined where the connection takes none any more. */
  request(
    fields: readonly HeaderField[],
    observer: StreamObserver,
    closed: () => void,
  ): Http2Stream | undefined {
    if (this.#isClosing || this.#socket.destroyed || this.#nextId > 0x7fff_ffff) return undefined;
    const stream = new Http2Stream(this.#nextId, observer, closed, {
      send: (stream) => this.#send(stream),
      reset: (stream) => this.#reset(stream),
    });
    this.#nextId += 2;
    if (this.#streams.size < this.#mostStreams) this.#open(stream, fields);
    else this.#unopened.push({ stream, fields });
    return stream;
  }

  /** Asks whether the other side is there. */
  ping(answered: (error?: Error) => void): void {
    this.#pings.push(answered);
    this.#write(toHttp2Frame(FrameType.ping, 0, 0, Buffer.alloc(8)));
  }

  /** Takes no more streams; ends with the last of those that are open. */
  close(): void {
    this.#isClosing = true;
    this.#endWhenDone();
  }

  /** Ends at once, and all streams with it. */
  destroy(): void {
    this.#isClosing = true;
    this.#socket.destroy();
  }

  /** Lets the connection keep the process alive, or not. */
  keepAlive(keeps: boolean): void {
    if (keeps) this.#socket.ref();
    else this.#socket.unref();
  }

  #greet(): void {
    const settings = Buffer.alloc(12);
    settings.writeUInt16BE(Http2Setting.enablePush, 0);
    settings.writeUInt16BE(Http2Setting.initialWindowSize, 6);
    settings.writeUInt32BE(STREAM_WINDOW, 8);
    this.#write(Buffer.from(PREFACE, 'latin1'));
    this.#write(toHttp2Frame(FrameType.settings, 0, 0, settings));
    this.#giveBack(0, CONNECTION_WINDOW - USUAL_WINDOW);
  }

  // what goes out

  #open(stream: Http2Stream, fields: readonly HeaderField[]): void {
    stream.window = this.#streamWindow;
    this.#streams.set(stream.id, stream);
    const block = this.#encoder.encode([...this.#prelude, ...fields]);
    const first = block.subarray(0, this.#frameBytes);
    const flags = first.length === block.length ? FrameFlag.endHeaders : 0;
    this.#write(toHttp2Frame(FrameType.headers, flags, stream.id, first));
    for (let at = first.length; at < block.length; at += this.#frameBytes) {
      const part = block.subarray(at, at + this.#frameBytes);
      const isLast = at + part.length === block.length;
      this.#write(toHttp2Frame(FrameType.continuation, isLast ? FrameFlag.endHeaders : 0, stream.id, part));
    }
    if (stream.isWaiting) this.#send(stream);
  }

  /** Sends as much of what waits as the windows let through. */
  #send(stream: Http2Stream): void {
    if (!this.#streams.has(stream.id)) return;
    while (stream.isWaiting) {
      const most = Math.min(this.#frameBytes, this.#window, stream.window);
      if (most <= 0) {
        this.#held.add(stream);
        return;
      }
      const { bytes, isLast } = stream.take(most);
      this.#window -= bytes.length;
      stream.window -= bytes.length;
      const head = Buffer.allocUnsafe(FRAME_HEAD_BYTES);
      writeFrameHead(head, 0, bytes.length, FrameType.data, isLast ? FrameFlag.endStream : 0, stream.id);
      this.#write(head);
      this.#write(bytes);
    }
    this.#held.delete(stream);
  }

  #sendHeld(): void {
    for (const stream of [...this.#held]) this.#send(stream);
  }

  #reset(stream: Http2Stream): void {
    const unopened = this.#unopened.findIndex((one) => one.stream === stream);
    if (unopened >= 0) this.#unopened.splice(unopened, 1)[0]?.stream.closed();
    if (!this.#streams.has(stream.id)) return;
    const code = Buffer.from([0, 0, 0, Http2Code.cancel]);
    this.#write(toHttp2Frame(FrameType.reset, 0, stream.id, code));
    this.#forget(stream);
  }

  /** Lets the other side send so many bytes more: on a stream, or on the whole connection (0). */
  #giveBack(stream: number, bytes: number): void {
    const increment = Buffer.alloc(4);
    increment.writeUInt32BE(bytes);
    this.#write(toHttp2Frame(FrameType.windowUpdate, 0, stream, increment));
  }

  #write(bytes: Uint8Array): void {
    this.#out.push(bytes);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#isFlushing = false;
    const out = this.#out;
    this.#out = [];
    if (this.#socket.destroyed) return;
    const total = out.reduce((sum, { length }) => sum + length, 0);
    if (total <= COPY_BYTES) {
      this.#socket.write(Buffer.concat(out, total));
      return;
    }
    this.#socket.cork();
    for (const bytes of out) this.#socket.write(bytes);
    this.#socket.uncork();
  }

  // what comes in

  /** A side that breaks the rules is left at once. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#failure ??= error as Error;
      this.#socket.destroy();
    }
  }

  #take(type: number, flags: number, id: number, payload: Buffer): void {
    if (this.#block && (type !== FrameType.continuation || this.#block.stream !== id))
      throw new RangeError('headers came without their end');
    if (type === FrameType.data) this.#takeData(flags, id, payload);
    else if (type === FrameType.headers) this.#takeHeaders(flags, id, payload);
    else if (type === FrameType.continuation) this.#continueHeaders(flags, payload);
    else if (type === FrameType.reset) this.#takeReset(id, payload);
    else if (type === FrameType.settings) this.#takeSettings(flags, payload);
    else if (type === FrameType.ping) this.#takePing(flags, payload);
    else if (type === FrameType.goAway) this.#takeGoAway(payload);
    else if (type === FrameType.windowUpdate) this.#takeWindow(id, payload);
    else if (type === FrameType.push) throw new RangeError('a push came that was forbidden');
  }

  #takeData(flags: number, id: number, payload: Buffer): void {
    this.#taken += payload.length;
    if (this.#taken > CONNECTION_WINDOW / 2) {
      this.#giveBack(0, this.#taken);
      this.#taken = 0;
    }
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.taken += payload.length;
    const isEnd = (flags & FrameFlag.endStream) !== 0;
    if (!isEnd && stream.taken > STREAM_WINDOW / 2) {
      this.#giveBack(id, stream.taken);
      stream.taken = 0;
    }
    stream.observer.data(withoutPadding(payload, flags, false));
    if (isEnd) this.#ended(stream);
  }

  #takeHeaders(flags: number, id: number, payload: Buffer): void {
    const part = withoutPadding(payload, flags, (flags & FrameFlag.priority) !== 0);
    if ((flags & FrameFlag.endHeaders) === 0) this.#block = { stream: id, flags, parts: [part] };
    else this.#tellHeaders(flags, id, part);
  }

  #continueHeaders(flags: number, payload: Buffer): void {
    const block = this.#block;
    if (!block) throw new RangeError('a continuation came of nothing');
    block.parts.push(payload);
    if (block.parts.reduce((sum, { length }) => sum + length, 0) > HEADER_BYTES)
      throw new RangeError('headers are too long');
    if ((flags & FrameFlag.endHeaders) === 0) return;
    this.#block = undefined;
    this.#tellHeaders(block.flags, block.stream, Buffer.concat(block.parts));
  }

  #tellHeaders(flags: number, id: number, block: Buffer): void {
    // also those that nobody waits for have to be read: later ones refer to them
    const headers = this.#decoder.decode(block);
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.observer.headers(headers);
    if ((flags & FrameFlag.endStream) !== 0) this.#ended(stream);
  }

  #ended(stream: Http2Stream): void {
    if (!this.#streams.has(stream.id)) return;
    // whoever has answered already need not be told the rest
    if (!stream.isSent) this.#reset(stream);
    else this.#forget(stream);
    stream.observer.end();
  }

  #takeReset(id: number, payload: Buffer): void {
    const code = payload.readUInt32BE(0);
    const stream = this.#streams.get(id);
    if (!stream) return;
    this.#forget(stream);
    stream.observer.lost({ unprocessed: code === Http2Code.refused });
  }

  #takeSettings(flags: number, payload: Buffer): void {
    if ((flags & FrameFlag.acknowledgement) !== 0) return;
    for (let at = 0; at + 6 <= payload.length; at += 6)
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    this.#write(toHttp2Frame(FrameType.settings, FrameFlag.acknowledgement, 0, Buffer.alloc(0)));
    this.#sendHeld();
    this.#openMore();
  }

  #set(setting: number, value: number): void {
    if (setting === Http2Setting.headerTableSize) this.#encoder.limitTable(value);
    else if (setting === Http2Setting.maxConcurrentStreams) this.#mostStreams = value;
    else if (setting === Http2Setting.maxFrameSize) this.#frameBytes = value;
    else if (setting === Http2Setting.initialWindowSize) {
      for (const stream of this.#streams.values()) stream.window += value - this.#streamWindow;
      this.#streamWindow = value;
    }
  }

  #takePing(flags: number, payload: Buffer): void {
    if ((flags & FrameFlag.acknowledgement) !== 0) this.#pings.shift()?.();
    else this.#write(toHttp2Frame(FrameType.ping, FrameFlag.acknowledgement, 0, payload));
  }

  /** The other side will go: what it has not looked at can be asked of somebody else. */
  #takeGoAway(payload: Buffer): void {
    const last = payload.readUInt32BE(0) & 0x7fff_ffff;
    this.#isClosing = true;
    this.lost();
    const refused = [...this.#streams.values()].filter(({ id }) => id > last);
    for (const stream of [...refused, ...this.#unopened.splice(0).map(({ stream }) => stream)]) {
      this.#forget(stream);
      stream.observer.lost({ unprocessed: true });
    }
    this.#endWhenDone();
  }

  #takeWindow(id: number, payload: Buffer): void {
    const bytes = payload.readUInt32BE(0) & 0x7fff_ffff;
    if (id === 0) {
      this.#window += bytes;
      this.#sendHeld();
      return;
    }
    const stream = this.#streams.get(id);
    if (!stream) return;
    stream.window += bytes;
    if (stream.isWaiting) this.#send(stream);
  }

  // how it ends

  #forget(stream: Http2Stream): void {
    this.#streams.delete(stream.id);
    this.#held.delete(stream);
    stream.closed();
    this.#openMore();
    this.#endWhenDone();
  }

  #openMore(): void {
    while (this.#unopened.length > 0 && this.#streams.size < this.#mostStreams) {
      const { stream, fields } = this.#unopened.shift() as Unopened;
      this.#open(stream, fields);
    }
  }

  #endWhenDone(): void {
    if (!this.#isClosing || this.#streams.size > 0 || this.#unopened.length > 0) return;
    // behind what is still to be written
    setImmediate(() => setImmediate(() => this.#socket.end().unref()));
  }

  #end(): void {
    this.#isClosing = true;
    this.lost();
    const failure: StreamFailure = { unprocessed: false, cause: this.#failure };
    const unopened = this.#unopened.splice(0).map(({ stream }) => stream);
    const open = [...this.#streams.values()];
    this.#streams.clear();
    this.#held.clear();
    for (const stream of [...open, ...unopened]) stream.closed();
    for (const stream of open) stream.observer.lost(failure);
    for (const stream of unopened) stream.observer.lost({ ...failure, unprocessed: true });
    for (const answered of this.#pings.splice(0)) answered(new Error('the connection has ended'));
  }
}
