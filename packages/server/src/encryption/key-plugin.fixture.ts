import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A key management plugin on a Unix socket, as far as servers call it: its keys turn bytes into others by xor. */
export class KeyPlugin implements AsyncDisposable {
  readonly endpoint: string;
  keyId: string = 'key-1';
  /** If set, calls fail with it. */
  failure: string | undefined;
  /** Paths of the calls. */
  readonly calls: string[] = [];
  readonly #folder: string = mkdtempSync(join(tmpdir(), 'ashlar-kms-'));
  readonly #server: Http2Server = createServer();
  readonly #sessions: Set<{ destroy(): void }> = new Set();

  static async start(): Promise<KeyPlugin> {
    const plugin = new KeyPlugin();
    await new Promise<void>((resolve) => plugin.#server.listen(plugin.#path, resolve));
    return plugin;
  }

  private constructor() {
    this.endpoint = `unix://${this.#path}`;
    this.#server.on('session', (session) => this.#sessions.add(session));
    this.#server.on('stream', (stream, headers) => {
      const chunks: Buffer[] = [];
      stream.on('error', () => {});
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () =>
        this.#answer(stream, String(headers[':path']), Buffer.concat(chunks).subarray(5)),
      );
    });
  }

  /** Drops all connections. */
  disconnect(): void {
    for (const session of this.#sessions) session.destroy();
    this.#sessions.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.disconnect();
    await new Promise((resolve) => this.#server.close(resolve));
    rmSync(this.#folder, { recursive: true });
  }

  get #path(): string {
    return join(this.#folder, 'kms.sock');
  }

  #answer(stream: ServerHttp2Stream, path: string, request: Buffer): void {
    this.calls.push(path.slice(path.lastIndexOf('/') + 1));
    const failed = this.failure !== undefined;
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
    stream.on('wantTrailers', () =>
      stream.sendTrailers({
        'grpc-status': failed ? '14' : '0',
        ...(failed && { 'grpc-message': encodeURIComponent(this.failure as string) }),
      }),
    );
    if (failed) stream.end();
    else stream.end(framed(this.#message(path, fieldsOf(request))));
  }

  #message(path: string, request: ReadonlyMap<number, Buffer>): Buffer {
    const text = (value: string): Buffer => Buffer.from(value);
    if (path.endsWith('/Status'))
      return Buffer.concat([field(1, text('v2')), field(2, text('ok')), field(3, text(this.keyId))]);
    const payload = request.get(1) ?? Buffer.alloc(0);
    if (path.endsWith('/Decrypt')) return field(1, changed(payload, String(request.get(3))));
    const annotation = Buffer.concat([field(1, text('version.example.com')), field(2, text('1'))]);
    return Buffer.concat([
      field(1, changed(payload, this.keyId)),
      field(2, text(this.keyId)),
      field(3, annotation),
    ]);
  }
}

const changed = (bytes: Buffer, keyId: string): Buffer =>
  Buffer.from(bytes.map((byte) => byte ^ keyId.charCodeAt(keyId.length - 1)));

/** All fields of these messages are shorter than 16 KiB. */
const lengthOf = (length: number): number[] =>
  length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7];

const field = (number: number, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2, ...lengthOf(value.length)]), value]);

function fieldsOf(message: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < message.length; ) {
    const number = (message[at++] as number) >> 3;
    let length = message[at++] as number;
    if (length >= 128) length = (length & 0x7f) | ((message[at++] as number) << 7);
    fields.set(number, message.subarray(at, at + length));
    at += length;
  }
  return fields;
}

function framed(message: Buffer): Buffer {
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}
