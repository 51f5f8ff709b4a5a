import { type EnvelopeFrame, envelopeFrame } from './protobuf-envelope.ts';
import { createWriter, WireType, writeKey } from './protobuf-wire.ts';

/** The key of the items of every list: member 2, length-delimited (semantics/encodings#protobuf). */
const ITEM_KEY = (2 << 3) | WireType.bytes;

/** The parts of a list except its items. */
export interface ProtobufListHead {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of its ListMeta. */
  readonly metadata: Uint8Array;
  /** Total size of the items in bytes, each as `protobufListItem` returns it. */
  readonly itemBytes: number;
}

/**
 * The parts of an envelope before and after the items of a list: metadata is member 1, items are members 2 of
 * every list (semantics/encodings#protobuf). Callers write head, items, tail, without a copy.
 */
export function protobufListFrame({
  apiVersion,
  kind,
  metadata,
  itemBytes,
}: ProtobufListHead): EnvelopeFrame {
  const start = writeKey(createWriter(), 1, WireType.bytes).bytes(metadata).finish();
  const { head, tail } = envelopeFrame({ apiVersion, kind, rawBytes: start.length + itemBytes });
  const combinedHead = new Uint8Array(head.length + start.length);
  combinedHead.set(head);
  combinedHead.set(start, head.length);
  return { head: combinedHead, tail };
}

/**
 * Encodes a message as an item of a list, with key and length, in a buffer of its own, so that caching it
 * retains nothing else.
 */
export function protobufListItem(message: Uint8Array): Uint8Array {
  const start = itemStart(message.length);
  const item = new Uint8Array(start + message.length);
  item[0] = ITEM_KEY;
  let rest = message.length;
  for (let at = 1; at < start; at++) {
    item[at] = at === start - 1 ? rest : (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  item.set(message, start);
  return item;
}

/** The message of an item of a list. */
export function protobufItemMessage(item: Uint8Array): Uint8Array {
  let start = 1;
  while ((item[start] as number) & 0x80) start++;
  return item.subarray(start + 1);
}

/** Size of the key and the length of an item in bytes. */
function itemStart(length: number): number {
  let bytes = 2;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}
