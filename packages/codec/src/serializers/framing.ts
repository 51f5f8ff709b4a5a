import type { WatchEventType } from '@ashlar/core';
import { selfDescribed } from '../cbor/cbor.ts';
import { encodeCbor } from '../cbor/cbor-encode.ts';
import { wellFormedEnd } from '../cbor/cbor-well-formed.ts';
import { createWriter, ReadBudget, readFields, WireType, writeKey } from '../protobuf/protobuf-wire.ts';
import { DecodeError } from './decode-error.ts';
import { encodeUtf8 } from './utf8.ts';

/** Default maximum size of a frame (semantics/encodings#protobuf). */
const MAXIMUM_FRAME_BYTES: number = 16 * 1024 * 1024;

/** An event whose object is already encoded. */
export interface EncodedWatchEvent {
  readonly type: string;
  readonly object: Uint8Array;
}

const NEWLINE = 0x0a;
const jsonHeads = new Map<string, Uint8Array>();
const JSON_TAIL = encodeUtf8('}\n');

/**
 * Encodes an event of a JSON watch as one buffer (semantics/encodings#watch-frames):
 * `{"type":"ADDED","object":…}` and a newline.
 * @param object compact JSON; a newline at its end is removed
 */
export function frameJsonEvent(type: WatchEventType, object: Uint8Array): Uint8Array {
  const head = jsonHead(type);
  const length = object.at(-1) === NEWLINE ? object.length - 1 : object.length;
  const frame = new Uint8Array(head.length + length + JSON_TAIL.length);
  frame.set(head);
  frame.set(object.subarray(0, length), head.length);
  frame.set(JSON_TAIL, head.length + length);
  return frame;
}

function jsonHead(type: WatchEventType): Uint8Array {
  let head = jsonHeads.get(type);
  if (!head) {
    head = encodeUtf8(`{"type":"${type}","object":`);
    jsonHeads.set(type, head);
  }
  return head;
}

/**
 * Encodes an event of a Protobuf watch as one buffer (semantics/encodings#protobuf): its length in four
 * bytes, then the event, which has no envelope itself.
 * @param object the enveloped object, prefix included
 */
export function frameProtobufEvent(type: WatchEventType, object: Uint8Array): Uint8Array {
  const writer = createWriter().fixed32(0);
  writeKey(writer, 1, WireType.bytes).string(type);
  writeKey(writer, 2, WireType.bytes).fork();
  writeKey(writer, 1, WireType.bytes).bytes(object);
  const frame = writer.ldelim().finish();
  new DataView(frame.buffer, frame.byteOffset).setUint32(0, frame.length - 4);
  return frame;
}

/**
 * Reads the content of one Protobuf frame.
 * @throws DecodeError if it is not an event
 */
export function decodeProtobufEvent(frame: Uint8Array): EncodedWatchEvent {
  let type = '';
  let object: Uint8Array = new Uint8Array(0);
  const budget = new ReadBudget();
  readFields(frame, 'WatchEvent', budget, (reader, tag, wireType) => {
    if (tag === 1) type = reader.string();
    else if (tag === 2)
      readFields(reader.bytes(), 'RawExtension', budget, (raw, rawTag, rawWireType) => {
        if (rawTag === 1) object = raw.bytes();
        else raw.skipType(rawWireType);
      });
    else reader.skipType(wireType);
  });
  return { type, object };
}

/**
 * Encodes an event of a CBOR watch as one buffer (semantics/encodings#watch-frames): a map of `type` and
 * `object` with the self-describing tag.
 * @param object the encoded object, with a tag of its own
 */
export function frameCborEvent(type: WatchEventType, object: Uint8Array): Uint8Array {
  const head = cborHead(type);
  const frame = new Uint8Array(head.length + object.length);
  frame.set(head);
  frame.set(object, head.length);
  return frame;
}

const cborHeads = new Map<string, Uint8Array>();

/** The parts of an event except its object, which comes last. */
function cborHead(type: WatchEventType): Uint8Array {
  let head = cborHeads.get(type);
  if (!head) {
    head = selfDescribed(encodeCbor({ type, object: null })).subarray(0, -1);
    cborHeads.set(type, head);
  }
  return head;
}

/**
 * The data items of a CBOR stream (RFC 8742), with their tags.
 * @throws DecodeError if an item is invalid or longer than `maximumBytes`, or the stream ends inside one
 */
export async function* readCborItems(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number = MAXIMUM_FRAME_BYTES,
): AsyncGenerator<Uint8Array> {
  let pending = new PendingBytes();
  for await (const chunk of chunks) {
    pending.add(chunk);
    const bytes = pending.take();
    let start = 0;
    for (let end = itemEnd(bytes, start); end !== undefined; end = itemEnd(bytes, start)) {
      yield limited(bytes.subarray(start, end), maximumBytes);
      start = end;
    }
    pending = new PendingBytes();
    pending.add(bytes.subarray(start));
    if (pending.length > maximumBytes) throw tooLarge(pending.length, maximumBytes);
  }
  if (pending.length > 0) throw new DecodeError('unexpected EOF');
}

/** The end of the item that begins there; undefined while it is incomplete. */
function itemEnd(bytes: Uint8Array, start: number): number | undefined {
  if (start === bytes.length) return undefined;
  try {
    return wellFormedEnd(bytes, start);
  } catch (error) {
    if (error instanceof DecodeError && error.message === 'unexpected EOF') return undefined;
    throw error;
  }
}

/**
 * The lines of a stream, without their ends; empty ones are skipped, an unterminated last one is returned.
 * @throws DecodeError if a line is longer than `maximumBytes`
 */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number = MAXIMUM_FRAME_BYTES,
): AsyncGenerator<Uint8Array> {
  const pending = new PendingBytes();
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = pending.take(chunk.subarray(start, end));
      if (line.length > 0) yield limited(line, maximumBytes);
      start = end + 1;
    }
    pending.add(chunk.subarray(start));
    if (pending.length > maximumBytes) throw tooLarge(pending.length, maximumBytes);
  }
  const rest = pending.take();
  if (rest.length > 0) yield limited(rest, maximumBytes);
}

/**
 * The frames of a stream of length-prefixed messages, without the lengths.
 * @throws DecodeError if a frame is longer than `maximumBytes`, or the stream ends inside one
 */
export async function* readFrames(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number = MAXIMUM_FRAME_BYTES,
): AsyncGenerator<Uint8Array> {
  const pending = new PendingBytes();
  let needed = 4;
  let inFrame = false;
  for await (const chunk of chunks) {
    pending.add(chunk);
    while (pending.length >= needed) {
      const bytes = pending.cut(needed);
      if (inFrame) yield bytes;
      needed = inFrame ? 4 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
      inFrame = !inFrame;
      if (needed > maximumBytes) throw tooLarge(needed, maximumBytes);
    }
  }
  if (pending.length > 0 || inFrame) throw new DecodeError('unexpected EOF');
}

function limited(bytes: Uint8Array, maximum: number): Uint8Array {
  if (bytes.length > maximum) throw tooLarge(bytes.length, maximum);
  return bytes;
}

function tooLarge(length: number, maximum: number): DecodeError {
  return new DecodeError(`a frame of ${length} bytes is larger than ${maximum}`);
}

/** Bytes of an incomplete frame; joined once, when the frame is complete. */
class PendingBytes {
  #parts: Uint8Array[] = [];
  length = 0;

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#parts.push(bytes);
    this.length += bytes.length;
  }

  /** All pending bytes, with a last part. */
  take(last: Uint8Array = new Uint8Array(0)): Uint8Array {
    if (this.length === 0) return last;
    this.add(last);
    return this.cut(this.length);
  }

  /** The first pending bytes. */
  cut(length: number): Uint8Array {
    const pending = this.#parts.length === 1 ? (this.#parts[0] as Uint8Array) : this.#joined();
    const rest = pending.subarray(length);
    this.#parts = rest.length > 0 ? [rest] : [];
    this.length = rest.length;
    return pending.subarray(0, length);
  }

  #joined(): Uint8Array {
    const joined = new Uint8Array(this.length);
    let at = 0;
    for (const part of this.#parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }
}
