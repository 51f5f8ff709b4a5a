/** Kinds of frames (RFC 9113 section 6). */
export const FrameType = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames. */
export const FrameFlag = {
  endStream: 1,
  acknowledgement: 1,
  endHeaders: 4,
  padded: 8,
  priority: 32,
} as const;

/** Codes with which streams and connections end. */
export const Http2Code = { noError: 0, protocol: 1, refused: 7, cancel: 8 } as const;

/** Settings of a connection (RFC 9113 section 6.5.2). */
export const Http2Setting = {
  headerTableSize: 1,
  enablePush: 2,
  maxConcurrentStreams: 3,
  initialWindowSize: 4,
  maxFrameSize: 5,
} as const;

export const FRAME_HEAD_BYTES = 9;

/** What a side takes at most that has not said otherwise. */
export const FRAME_BYTES = 16_384;

/** Writes the head of a frame. */
export function writeFrameHead(
  into: Buffer,
  at: number,
  length: number,
  type: number,
  flags: number,
  stream: number,
): void {
  into.writeUIntBE(length, at, 3);
  into[at + 3] = type;
  into[at + 4] = flags;
  into.writeUInt32BE(stream, at + 5);
}

/** A whole frame. */
export function toHttp2Frame(type: number, flags: number, stream: number, payload: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD_BYTES + payload.length);
  writeFrameHead(frame, 0, payload.length, type, flags, stream);
  frame.set(payload, FRAME_HEAD_BYTES);
  return frame;
}

/** Takes a whole frame; the payload is a view on what has come. */
export type FrameHandler = (type: number, flags: number, stream: number, payload: Buffer) => void;

/** Cuts what arrives into frames, however it has been cut on the way. */
export class Http2FrameReader {
  readonly #frame: FrameHandler;
  #rest: Buffer | undefined;

  constructor(frame: FrameHandler) {
    this.#frame = frame;
  }

  /** @throws RangeError for a frame that is longer than was agreed on */
  push(chunk: Buffer): void {
    const bytes = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#rest = undefined;
    let at = 0;
    while (bytes.length - at >= FRAME_HEAD_BYTES) {
      const length = bytes.readUIntBE(at, 3);
      if (length > FRAME_BYTES) throw new RangeError(`a frame of ${length} bytes came`);
      const end = at + FRAME_HEAD_BYTES + length;
      if (end > bytes.length) break;
      const stream = bytes.readUInt32BE(at + 5) & 0x7fff_ffff;
      const payload = bytes.subarray(at + FRAME_HEAD_BYTES, end);
      this.#frame(bytes[at + 3] as number, bytes[at + 4] as number, stream, payload);
      at = end;
    }
    if (at < bytes.length) this.#rest = bytes.subarray(at);
  }
}

/** What is left of a payload without its padding, and without the priority that headers may begin with. @throws RangeError */
export function withoutPadding(payload: Buffer, flags: number, hasPriority: boolean): Buffer {
  const isPadded = (flags & FrameFlag.padded) !== 0;
  const start = (isPadded ? 1 : 0) + (hasPriority ? 5 : 0);
  const end = payload.length - (isPadded ? (payload[0] ?? 0) : 0);
  if (end < start) throw new RangeError('a frame is nothing but padding');
  return payload.subarray(start, end);
}
