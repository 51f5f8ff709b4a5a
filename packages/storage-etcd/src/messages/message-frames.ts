/** gRPC puts one byte for compression and four for the length before each message. */
const PREFIX_BYTES = 5;

/** A message with its prefix, in a buffer of its own. */
export function toFrame(message: Uint8Array): Uint8Array {
  const frame = Buffer.allocUnsafe(PREFIX_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, PREFIX_BYTES);
  return frame;
}

/** A message exceeds the limit. Detected by its prefix, before it has arrived. */
export class MessageTooLongError extends Error {
  override readonly name: string = 'MessageTooLongError';
  readonly bytes: number;
  constructor(bytes: number, limit: number) {
    super(`a message of ${bytes} bytes came where at most ${limit} were expected`);
    this.bytes = bytes;
  }
}

/** Splits received bytes into messages, in any chunks. */
export class FrameReader {
  readonly #limit: number;
  readonly #message: (bytes: Uint8Array) => void;
  /** The received part of a prefix, if a chunk ended inside it. */
  readonly #prefix: Buffer = Buffer.alloc(PREFIX_BYTES);
  #prefixBytes: number = 0;
  /** The message in progress. */
  #body: Buffer | undefined;
  #bodyBytes: number = 0;

  /** @param message called with each message; the bytes may be a view of the chunk */
  constructor(limit: number, message: (bytes: Uint8Array) => void) {
    this.#limit = limit;
    this.#message = message;
  }

  /** Whether the received bytes end with a message. */
  get complete(): boolean {
    return this.#prefixBytes === 0;
  }

  /**
   * Processes the next chunk.
   * @throws MessageTooLongError if a prefix announces more than the limit
   * @throws RangeError if a message is compressed, which was not requested
   */
  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#body ? this.#fill(chunk, at) : this.#begin(chunk, at);
  }

  #begin(chunk: Buffer, at: number): number {
    const copied = chunk.copy(this.#prefix, this.#prefixBytes, at, at + PREFIX_BYTES - this.#prefixBytes);
    this.#prefixBytes += copied;
    if (this.#prefixBytes < PREFIX_BYTES) return at + copied;
    if (this.#prefix[0] !== 0) throw new RangeError('a message is compressed, which is not supported');
    const length = this.#prefix.readUInt32BE(1);
    if (length > this.#limit) throw new MessageTooLongError(length, this.#limit);
    const start = at + copied;
    if (start + length <= chunk.length) {
      this.#prefixBytes = 0;
      this.#message(chunk.subarray(start, start + length));
      return start + length;
    }
    this.#body = Buffer.allocUnsafe(length);
    return start;
  }

  #fill(chunk: Buffer, at: number): number {
    const body = this.#body as Buffer;
    const copied = chunk.copy(body, this.#bodyBytes, at);
    this.#bodyBytes += copied;
    if (this.#bodyBytes < body.length) return at + copied;
    this.#body = undefined;
    this.#bodyBytes = 0;
    this.#prefixBytes = 0;
    this.#message(body);
    return at + copied;
  }
}
