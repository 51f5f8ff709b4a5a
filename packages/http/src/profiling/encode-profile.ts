import { ProtobufWriter } from '@ashlar/codec';
import type { Profile, ProfileFrame, ProfileSample, ProfileValue } from './profile.ts';

/** When a profile was taken. */
export interface ProfileTimes {
  /** Since 1970. */
  readonly startMilliseconds: number;
  readonly durationMilliseconds: number;
}

const NANOSECONDS = 1_000_000n;

/** Encodes a profile in the Protobuf format that tools for profiles read, uncompressed. */
export function encodeProfile(profile: Profile, times: ProfileTimes): Uint8Array<ArrayBuffer> {
  return new ProfileEncoder().encode(profile, times);
}

/** Texts, functions and locations are written once, and referred to by their numbers. */
class ProfileEncoder {
  readonly #writer = new ProtobufWriter();
  readonly #texts: Map<string, number> = new Map([['', 0]]);
  readonly #frames: Map<string, { readonly id: number; readonly frame: ProfileFrame }> = new Map();

  encode({ values, samples, period }: Profile, times: ProfileTimes): Uint8Array<ArrayBuffer> {
    const writer = this.#writer;
    for (const value of values) this.#value(1, value);
    for (const sample of samples) this.#sample(sample);
    for (const { id, frame } of this.#frames.values()) this.#frame(id, frame);
    this.#number(9, BigInt(Math.round(times.startMilliseconds)) * NANOSECONDS);
    this.#number(10, BigInt(Math.round(times.durationMilliseconds)) * NANOSECONDS);
    if (period) {
      this.#value(11, period.of);
      this.#number(12, period.amount);
    }
    // the last that refers to texts is written
    for (const text of this.#texts.keys()) writer.uint32(tag(6, BYTES)).string(text);
    return writer.finish();
  }

  #value(field: number, { type, unit }: ProfileValue): void {
    this.#writer.uint32(tag(field, BYTES)).fork();
    this.#number(1, this.#text(type));
    this.#number(2, this.#text(unit));
    this.#writer.ldelim();
  }

  #sample({ stack, values }: ProfileSample): void {
    const writer = this.#writer;
    writer.uint32(tag(2, BYTES)).fork();
    writer.uint32(tag(1, BYTES)).fork();
    for (const frame of stack) writer.uint32(this.#location(frame));
    writer.ldelim().uint32(tag(2, BYTES)).fork();
    for (const value of values) writer.int64(Math.round(value));
    writer.ldelim().ldelim();
  }

  #location(frame: ProfileFrame): number {
    const key = `${frame.name}\n${frame.file ?? ''}\n${frame.line ?? 0}`;
    const known = this.#frames.get(key) ?? { id: this.#frames.size + 1, frame };
    this.#frames.set(key, known);
    return known.id;
  }

  /** A location and its function have the same number. */
  #frame(id: number, { name, file = '', line = 0 }: ProfileFrame): void {
    const writer = this.#writer;
    writer.uint32(tag(4, BYTES)).fork();
    this.#number(1, id);
    writer.uint32(tag(4, BYTES)).fork();
    this.#number(1, id);
    this.#number(2, line);
    writer.ldelim().ldelim();
    writer.uint32(tag(5, BYTES)).fork();
    this.#number(1, id);
    this.#number(2, this.#text(name));
    this.#number(3, this.#text(name));
    this.#number(4, this.#text(file));
    this.#number(5, line);
    writer.ldelim();
  }

  #number(field: number, value: number | bigint): void {
    this.#writer.uint32(tag(field, NUMBER)).int64(typeof value === 'bigint' ? value : Math.round(value));
  }

  #text(text: string): number {
    const known = this.#texts.get(text) ?? this.#texts.size;
    this.#texts.set(text, known);
    return known;
  }
}

const NUMBER = 0;
const BYTES = 2;
const tag = (field: number, type: number): number => (field << 3) | type;
