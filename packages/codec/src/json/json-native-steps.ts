import { isEmptyObject, knownMembers, memberNames, type Steps } from '@ashlar/core';
import { CycleGuard } from '../serializers/cycles.ts';
import { RecentTexts } from './recent-texts.ts';

/** Weight of what is written in one piece: a value counts one, and as much again for each 64 characters of its text. */
const PIECE = 1024;
const CHARACTERS = 64;
/** Characters of a text in which special ones are looked for in one piece. */
const STRETCH = 65_536;
/** What a text has that `JSON.stringify` or {@link escapeSpecials} changes, or that is rare. */
const NOT_PLAIN = /[^ !#-%'-;=?-[\]-~]/;
/** Parts of the text that are joined in one piece. */
const JOINED_PARTS = 4096;
const SPECIAL = /[<>&\u2028\u2029]/;
const EVERY_SPECIAL = /[<>&\u2028\u2029]/g;

/** Escapes what JSON may have as it is, but the reference server does not. */
export function escapeSpecials(text: string): string {
  return SPECIAL.test(text) ? text.replace(EVERY_SPECIAL, escapeCharacter) : text;
}

/** As {@link escapeSpecials}, with pauses. */
export function* escapeSpecialsSteps(text: string): Steps<string> {
  if (!SPECIAL.test(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += STRETCH) {
    if (at > 0) yield;
    parts.push(escapeSpecials(text.slice(at, at + STRETCH)));
  }
  return parts.join('');
}

/** A text in quotes, as `JSON.stringify` writes it, with pauses. */
function* quotedSteps(text: string): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (at > 0) yield;
    const end = at + STRETCH;
    // half a pair would be escaped
    const next = isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
    parts.push(quoted(text.slice(at, next)).slice(1, -1));
    at = next;
  }
  return `"${parts.join('')}"`;
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/**
 * Writes JSON, with special characters escaped, as `JSON.stringify` does: small values as a whole, the parts of large ones piece by
 * piece, with pauses between. Returns undefined for large values that are indented, and for what `JSON.stringify` does not write as
 * it should: a bigint, `-0`, what it would turn into null.
 */
export function* writeNativelySteps(value: unknown, indent: string): Steps<string | undefined> {
  const scales = new Scales();
  const left = scales.spend(value, PIECE);
  if (left >= 0) return escapeSpecials(JSON.stringify(value, undefined, indent));
  if (left === FOREIGN || indent !== '') return undefined;
  if (!isContainer(value)) return yield* quotedSteps(value as string);
  return yield* new NativeWriter(value, scales).write();
}

/** Returned by {@link Scales.spend} for a value that `JSON.stringify` does not write as it should. */
const FOREIGN = Number.NEGATIVE_INFINITY;
/** What has been found to weigh as much is taken for large: to list the members of a large object again costs more than it saves. */
const CERTAINLY_LARGE = PIECE / 2;

/** Weighs values, up to the weight of a piece. */
class Scales {
  /** Arrays and objects that were found to be large. */
  readonly #large: Set<object> = new Set();

  /** Subtracts the weight of a value from what may be spent; negative where it is more. */
  spend(value: unknown, most: number): number {
    switch (typeof value) {
      case 'string':
        return most - 1 - Math.floor(value.length / CHARACTERS);
      case 'boolean':
        return most - 1;
      case 'number':
        return Number.isFinite(value) && !Object.is(value, -0) ? most - 1 : FOREIGN;
      case 'object':
        return value === null ? most - 1 : this.#spendOn(value, most - 1);
      default:
        return FOREIGN;
    }
  }

  #spendOn(container: object, most: number): number {
    if (this.#large.size > 0 && (this.#large.has(container) || TEXTS.has(container))) return -1;
    if (knownMembers(container) > most) return -1;
    let left = most;
    if (Array.isArray(container)) {
      for (let i = 0; i < container.length && left >= 0; i++) left = this.spend(container[i], left);
    } else
      for (const name in container) {
        const member = (container as Record<string, unknown>)[name];
        if (member !== undefined) left = this.spend(member, left);
        if (left < 0) break;
      }
    if (left < 0 && most > CERTAINLY_LARGE) this.#note(container);
    return left;
  }

  #note(container: object): void {
    this.#large.add(container);
    // it is asked for them again
    if (!Array.isArray(container)) memberNames(container);
  }
}

/** Weight of a flat object that is written in one piece, in which the engine is several times as fast. */
const FLAT_PIECE = 32_768;

/** Characters of all texts that are kept. */
const KEPT_CHARACTERS = 1024 * 1024;
/**
 * Recent texts of large objects that are frozen: who writes a large object again has often changed little of it, and to list the members of
 * the rest takes long.
 */
const TEXTS = new RecentTexts(KEPT_CHARACTERS);

/** Whether an object has only scalars and what is empty, which weigh no more than a flat piece; `frozen` if that stays so. */
function flatness(container: object): 'frozen' | 'flat' | undefined {
  if (Array.isArray(container)) return undefined;
  const scales = new Scales();
  let left = FLAT_PIECE;
  let isFrozen = Object.isFrozen(container);
  for (const name of memberNames(container)) {
    const member = (container as Record<string, unknown>)[name];
    if (isContainer(member)) {
      if (!isEmptyObject(member)) return undefined;
      isFrozen &&= Object.isFrozen(member);
    }
    if (member !== undefined) left = scales.spend(member, left);
    if (left < 0) return undefined;
  }
  return isFrozen ? 'frozen' : 'flat';
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A large array or object that is being written. */
interface Frame {
  readonly container: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Names of an object's members; undefined for arrays. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
  isEmpty: boolean;
}

class NativeWriter {
  readonly #joined: string[] = [];
  #parts: string[] = [];
  readonly #frames: Frame[] = [];

  readonly #guard: CycleGuard;
  readonly #scales: Scales;
  /** What the part that did not fit into a piece left of it: negative. */
  #left = 0;

  constructor(value: object, scales: Scales) {
    this.#guard = new CycleGuard(value);
    this.#scales = scales;
    this.#parts.push(this.#open(value));
  }

  *write(): Steps<string | undefined> {
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      if (frame.next === frame.length) this.#close(frame);
      else if (!this.#writeSmall(frame) && !(yield* this.#writeLarge(frame))) return undefined;
      if (this.#parts.length >= JOINED_PARTS) this.#join();
      yield;
    }
    this.#join();
    return this.#joined.join('');
  }

  #join(): void {
    this.#joined.push(this.#parts.join(''));
    this.#parts = [];
  }

  #open(container: object): string {
    const names = Array.isArray(container) ? undefined : memberNames(container);
    const length = names?.length ?? (container as readonly unknown[]).length;
    const frame: Frame = {
      container: container as Frame['container'],
      names,
      length,
      next: 0,
      isEmpty: true,
    };
    this.#guard.enter(this.#frames.push(frame));
    return names ? '{' : '[';
  }

  #close({ names }: Frame): void {
    this.#frames.pop();
    this.#parts.push(names ? '}' : ']');
  }

  /** Writes as many small members or items as make a piece; returns whether there were any. */
  #writeSmall(frame: Frame): boolean {
    const first = frame.next;
    for (let left = PIECE; frame.next < frame.length; frame.next++) {
      const part = partOf(frame);
      if (part === undefined && frame.names) continue;
      left = this.#scales.spend(part, left);
      this.#left = left;
      if (left < 0) break;
      if (frame.names) this.#writeMember(frame, frame.names[frame.next] as string, part);
    }
    if (!frame.names && frame.next > first) this.#writeItems(frame, first);
    return frame.next > first;
  }

  #writeMember(frame: Frame, name: string, part: unknown): void {
    this.#separate(frame);
    this.#parts.push(quoted(name), ':', written(part));
  }

  #writeItems(frame: Frame, first: number): void {
    this.#separate(frame);
    const items = (frame.container as readonly unknown[]).slice(first, frame.next);
    this.#parts.push(escapeSpecials(JSON.stringify(items).slice(1, -1)));
  }

  #separate(frame: Frame): void {
    if (!frame.isEmpty) this.#parts.push(',');
    frame.isEmpty = false;
  }

  /** Writes or opens the part that is next; returns false if it cannot be written so. */
  *#writeLarge(frame: Frame): Steps<boolean> {
    const part = partOf(frame);
    if (this.#left === FOREIGN) return false;
    this.#separate(frame);
    if (frame.names) this.#parts.push(quoted(frame.names[frame.next] as string), ':');
    frame.next++;
    if (!isContainer(part)) this.#parts.push(yield* quotedSteps(part as string));
    else this.#parts.push(TEXTS.get(part) ?? (yield* this.#writeContainer(part)));
    return true;
  }

  /** Returns the text of a large array or object, or opens it and returns how it begins. */
  *#writeContainer(part: object): Steps<string> {
    const found = flatness(part);
    yield;
    if (!found) return this.#open(part);
    const text = yield* escapeSpecialsSteps(JSON.stringify(part));
    if (found === 'frozen') TEXTS.set(part, text);
    return text;
  }
}

function partOf({ container, names, next }: Frame): unknown {
  if (!names) return (container as readonly unknown[])[next];
  return (container as Readonly<Record<string, unknown>>)[names[next] as string];
}

const written = (part: unknown): string =>
  typeof part === 'string' ? quoted(part) : escapeSpecials(JSON.stringify(part));

const quoted = (text: string): string =>
  NOT_PLAIN.test(text) ? escapeSpecials(JSON.stringify(text)) : `"${text}"`;
