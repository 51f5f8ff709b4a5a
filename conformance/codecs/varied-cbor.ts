import { isJsonObject, type JsonValue } from '@ashlar/core';
import type { Choices } from './choices.ts';

/** A data item, and what is unusual in it. */
export interface VariedCbor {
  readonly bytes: Uint8Array;
  readonly forms: ReadonlySet<string>;
}

const Major = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6 } as const;
const BREAK = 0xff;

/** Encodes a value so that here and there an item has another form than servers write, allowed or not. */
export function variedCbor(choices: Choices, value: JsonValue): VariedCbor {
  const forms = new Set<string>();
  const chunks: number[] = choices.chance(70) ? [0xd9, 0xd9, 0xf7] : [];
  if (chunks.length === 0) forms.add('untagged');
  write(value, { choices, forms, into: chunks, isKey: false });
  return { bytes: Uint8Array.from(chunks), forms };
}

interface Writing {
  readonly choices: Choices;
  readonly forms: Set<string>;
  readonly into: number[];
  readonly isKey: boolean;
}

function write(value: JsonValue, at: Writing): void {
  if (value === null) at.into.push(varies(at, 2, 'undefined') ? 0xf7 : 0xf6);
  else if (typeof value === 'boolean') at.into.push(value ? 0xf5 : 0xf4);
  else if (typeof value === 'string') writeText(value, at);
  else if (typeof value === 'number') writeNumber(value, at);
  else if (Array.isArray(value)) writeContainer(Major.array, value.length, value, at);
  else if (isJsonObject(value)) {
    const entries = Object.entries(value);
    writeContainer(Major.map, entries.length, entries.flat() as JsonValue[], at);
  }
}

function writeContainer(major: number, length: number, items: readonly JsonValue[], at: Writing): void {
  const isEndless = varies(at, 4, 'indefinite container');
  if (isEndless) at.into.push((major << 5) | 31);
  else head(major, length, at);
  for (const [index, item] of items.entries())
    write(item, { ...at, isKey: major === Major.map && index % 2 === 0 });
  if (isEndless) at.into.push(BREAK);
}

/** Tags that texts may have: times, base64 in three kinds, an address, an unknown one. */
const TEXT_TAGS = [0, 1, 21, 22, 23, 32, 33, 34, 100, 4000];

function writeText(text: string, at: Writing): void {
  const bytes = [...Buffer.from(text)];
  const what = at.isKey ? 'key' : 'value';
  if (varies(at, 1, `tagged ${what}`)) head(Major.tag, at.choices.pick(TEXT_TAGS), at);
  const major = varies(at, 8, `text ${what}`) ? Major.text : Major.bytes;
  if (varies(at, 2, `${what} in chunks`)) {
    const middle = at.choices.below(bytes.length + 1);
    at.into.push((major << 5) | 31);
    for (const part of [bytes.slice(0, middle), bytes.slice(middle)]) {
      head(major, part.length, at);
      at.into.push(...part);
    }
    at.into.push(BREAK);
    return;
  }
  head(major, bytes.length, at);
  for (const byte of bytes) at.into.push(byte);
}

function writeNumber(value: number, at: Writing): void {
  if (varies(at, 1, 'tagged number')) head(Major.tag, at.choices.pick([1, 2, 100]), at);
  if (!Number.isInteger(value) || varies(at, 8, 'integer as float')) writeFloat(value, at);
  else if (value < 0) head(Major.negative, -1 - value, at);
  else head(Major.unsigned, value, at);
}

function writeFloat(value: number, at: Writing): void {
  const isShort = Math.fround(value) === value && at.choices.chance(50);
  const buffer = Buffer.alloc(isShort ? 4 : 8);
  if (isShort) buffer.writeFloatBE(value);
  else buffer.writeDoubleBE(value);
  at.into.push(isShort ? 0xfa : 0xfb, ...buffer);
}

function head(major: number, argument: number, at: Writing): void {
  const initial = major << 5;
  const isLong = varies(at, 3, 'long head');
  if (argument < 24 && !isLong) at.into.push(initial | argument);
  else if (argument < 256 && !isLong) at.into.push(initial | 24, argument);
  else {
    const buffer = Buffer.alloc(8);
    buffer.writeBigUInt64BE(BigInt(argument));
    at.into.push(initial | 27, ...buffer);
  }
}

function varies({ choices, forms }: Writing, percent: number, form: string): boolean {
  const isChosen = choices.chance(percent);
  if (isChosen) forms.add(form);
  return isChosen;
}
