import { encodeCbor, selfDescribed } from '@ashlar/codec';
import { isJsonObject, type JsonObject } from '@ashlar/core';
import type { AskedBody } from './body-format.ts';
import type { Choices } from './choices.ts';

/** Values that a member of the object gets, as data items. */
const ITEMS: Readonly<Record<string, readonly number[]>> = {
  'not a number': [0xf9, 0x7e, 0x00],
  infinity: [0xf9, 0x7c, 0x00],
  undefined: [0xf7],
  'simple value': [0xf8, 0x20],
  'short simple value': [0xe3],
  'reserved head': [0x1c],
  break: [0xff],
  'large integer': [0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  'small integer': [0x3b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
  'big number': [0xc2, 0x42, 0x01, 0x00],
  'no UTF-8': [0x62, 0xc3, 0x28],
  'bytes of no UTF-8': [0x42, 0xc3, 0x28],
  'time of a number': [0xc1, 0x1a, 0x65, 0x92, 0x00, 0x80],
  'time of a text': [0xc0, 0x61, 0x61],
  'base64 of bytes': [0xd6, 0x42, 0xff, 0x00],
  'hexadecimal of bytes': [0xd7, 0x42, 0xff, 0x00],
  'base64 of a list': [0xd6, 0x80],
  'integer key': [0xa1, 0x01, 0x01],
  'repeated key': [0xa2, 0x41, 0x61, 0x01, 0x61, 0x61, 0x02],
  'list as key': [0xa1, 0x80, 0x01],
  'long list that ends': [0x9b, 0x00, 0x00, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff],
  'text in chunks of bytes': [0x7f, 0x41, 0x61, 0xff],
  'null member': [0xf6],
  'empty bytes': [0x40],
};

/** An object in CBOR that is no correct one any more, or an unusual one. */
export function brokenCbor(choices: Choices, object: JsonObject): AskedBody {
  const whole = selfDescribed(encodeCbor(object));
  const wholes: Readonly<Record<string, () => Uint8Array>> = {
    cut: () => whole.slice(0, choices.below(whole.length)),
    'trailing byte': () => Uint8Array.from([...whole, 0x00]),
    'two items': () => Uint8Array.from([...whole, ...whole]),
    'tagged twice': () => selfDescribed(whole),
    'only a tag': () => whole.slice(0, 3),
    empty: () => new Uint8Array(),
    list: () => selfDescribed(encodeCbor([object])),
    text: () => selfDescribed(encodeCbor('a')),
    null: () => selfDescribed(encodeCbor(null)),
    JSON: () => Buffer.from(JSON.stringify(object)),
    'no kind': () => encodeCbor({ ...object, kind: undefined }),
    'no version': () => encodeCbor({ ...object, apiVersion: undefined }),
    'no type': () => encodeCbor({ ...object, kind: undefined, apiVersion: undefined }),
    'other kind': () => encodeCbor({ ...object, kind: choices.pick(['Nope', 'Pod', '']) }),
    'other version': () => encodeCbor({ ...object, apiVersion: choices.pick(['v9', 'a/b/c', 'v1', '']) }),
    'kind as number': () => encodeCbor({ ...object, kind: 1 }),
    'unknown member': () => encodeCbor({ ...object, unknown: 1 }),
    'member in other case': () => encodeCbor({ ...object, METADATA: { labels: { a: 'b' } } }),
    'metadata as list': () => encodeCbor({ ...object, metadata: [] }),
  };
  const about = choices.pick(Object.keys(choices.chance(50) ? ITEMS : wholes));
  const bytes = wholes[about]?.() ?? withItem(choices, object, ITEMS[about] ?? []);
  return { bytes, about: ` (${about})` };
}

/** Stands for the item, of a length that no other number has. */
const MARK = 0x1234_5678;
const MARKED = Buffer.from([0x1a, 0x12, 0x34, 0x56, 0x78]);

/** The object with an item in place of one of its members, or of one of its metadata. */
function withItem(choices: Choices, object: JsonObject, item: readonly number[]): Uint8Array {
  const bytes = Buffer.from(selfDescribed(encodeCbor(withMark(choices, object, 0))));
  const at = bytes.indexOf(MARKED);
  return Uint8Array.from([...bytes.subarray(0, at), ...item, ...bytes.subarray(at + MARKED.length)]);
}

function withMark(choices: Choices, object: JsonObject, depth: number): JsonObject {
  const names = Object.keys(object).filter((name) => depth > 0 || !['apiVersion', 'kind'].includes(name));
  const name = names.length > 0 && choices.chance(90) ? choices.pick(names) : 'unknown';
  const member = object[name];
  const goesOn = isJsonObject(member) && (depth === 0 || choices.chance(60));
  return { ...object, [name]: goesOn ? withMark(choices, member, depth + 1) : MARK };
}
