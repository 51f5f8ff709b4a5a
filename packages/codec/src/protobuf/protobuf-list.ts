import { type EnvelopeFrame, envelopeFrame } from './protobuf-envelope.ts';
import { createWriter, WireType, writeKey } from './protobuf-wire.ts';

/** The key of the items of every list: member 2, length-delimited (semantics/encodings#protobuf). */
const ITEM_KEY = (2 << 3) | WireType.bytes;

/** All of a list but its items. */
export interface ProtobufListHead {
  readonly apiVersion: string;
  readonly kind: string;
  /** The message of its ListMeta. */
  readonly metadata: Uint8Array;
  /** Bytes of all items together, each as `protobufListItem` makes it. */
  readonly itemBytes: number;
}

/**
 * The parts of an envelope before and after the items of a list: metadata is member 1, items are members 2 of every list
 * (semantics/encodings#protobuf). Whoever has the items writes head, items, tail, and nothing is copied.
 */
export function protobufListFrame({
  apiVersion,
  kind,
  metadata,
  itemBytes,
}: ProtobufListHead): EnvelopeFrame {
  const start = writeKey(createWriter(), 1, WireType.bytes).bytes(metadata).finish();
  const { head, tail } = envelopeFrame({ apiVersion, kind, rawBytes: start.length + itemBytes });
  const whole = new Uint8Array(head.length + start.length);
  whole.set(head);
  whole.set(start, head.length);
  return { head: whole, tail };
}

/** A message as an item of a list: key and length before it. Bytes of its own, so that keeping it keeps nothing else. */
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

/** Bytes of the key and the length of an item. */
function itemStart(length: number): number {
  let bytes = 2;
  for (let rest = length >>> 7; rest > 0; rest >>>= 7) bytes++;
  return bytes;
}
