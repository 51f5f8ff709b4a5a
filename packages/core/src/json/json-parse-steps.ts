import { doneSteps, type Steps } from '../contracts/steps.ts';
import type { JsonValue } from './json.ts';
import { setMember } from './json-member.ts';

/** Characters of what is parsed in one piece: about as many as take half a millisecond. */
const PIECE = 16_384;
/** Characters up to which a text is one piece. */
const MAXIMUM_UNSPLIT = 65_536;

/** Characters that are looked at between pauses. */
const STRETCH = 65_536;
/** Large lists and objects that end between pauses. */
const CLOSED_FRAMES = 256;
/** Runs of escapes in a string that are looked at between pauses. */
const RUNS = 16;
/** Escapes of a string, and few other characters between them. */
const ESCAPES = /(?:[^"\\]{0,16}\\.){1,1024}/sy;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;

/**
 * Parses JSON as `JSON.parse` does, large lists and objects piece by piece with pauses between. A single long string is one piece.
 * @throws SyntaxError if the text is not JSON
 */
export function parseJsonSteps(text: string): Steps<JsonValue> {
  return text.length <= MAXIMUM_UNSPLIT ? doneSteps(JSON.parse(text) as JsonValue) : parsePiecewise(text);
}

function* parsePiecewise(text: string): Steps<JsonValue> {
  const start = behindSpace(text, 0);
  if (start > STRETCH) yield;
  if (!isOpening(text.charCodeAt(start))) return JSON.parse(text) as JsonValue;
  return yield* new PiecewiseParser(text, start).parse();
}

/** A large list or object, of which pieces have been read. */
interface Frame {
  readonly value: JsonValue[] | Record<string, JsonValue>;
  /** Where its first bracket stands. */
  readonly start: number;
  /** Where that begins which has not been read. */
  from: number;
  /** Whether an item must follow there, since a comma stands before it. */
  needsItem: boolean;
  /** Where the last comma behind `from` stands that separates its own items; -1 where there is none. */
  comma: number;
}

/** Finds where items end, and leaves the items themselves to `JSON.parse`, as many at a time as make a piece. */
class PiecewiseParser {
  readonly #text: string;
  /** Those around the one that is being read. */
  readonly #around: Frame[] = [];
  #frame: Frame;
  #at: number;
  /** Where the brackets stand that are open inside of the frame, and the last comma that separates the items of each; -1 where there is none. */
  readonly #open: number[] = [];
  readonly #commas: number[] = [];
  #closed = 0;

  constructor(text: string, start: number) {
    this.#text = text;
    this.#frame = frameAt(text, start);
    this.#at = start + 1;
  }

  *parse(): Steps<JsonValue> {
    const text = this.#text;
    for (;;) {
      const at = this.#nextPart();
      if (at === text.length) throw notJson();
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        const end = endOfPlainString(text, at);
        this.#at = end > 0 ? end : yield* endOfStringSteps(text, at);
      } else if (code === COMMA) {
        if (this.#separate()) yield;
        this.#skipFlat();
      } else if (isOpening(code)) {
        this.#open.push(at);
        this.#commas.push(-1);
      } else if (isClosing(code)) {
        if (this.#open.length > 0) this.#closeInner();
        else if (this.#closeFrame()) return this.#frame.value;
        else if (this.#closed++ % CLOSED_FRAMES === 0) yield;
      } else yield;
      this.#at++;
    }
  }

  /** Goes to the next bracket, comma or string, or to the end of a stretch without one. */
  #nextPart(): number {
    const text = this.#text;
    const end = Math.min(this.#at + STRETCH, text.length);
    let at = this.#at;
    while (at < end && PARTS[text.charCodeAt(at)] !== 1) at++;
    this.#at = at;
    return at;
  }

  /** Returns whether a piece ends at the comma that is met. */
  #separate(): boolean {
    const { length } = this.#open;
    if (length > 0) {
      this.#commas[length - 1] = this.#at;
      if (this.#at - (this.#open[0] as number) < PIECE) return false;
      this.#openFrames();
      return true;
    }
    this.#frame.comma = this.#at;
    if (this.#at - this.#frame.from < PIECE) return false;
    this.#readItems(this.#at);
    return true;
  }

  /** Goes on before the last comma behind some of the flat parts that follow, if there are any. */
  #skipFlat(): void {
    FLAT_PARTS.lastIndex = this.#at + 1;
    if (FLAT_PARTS.test(this.#text)) this.#at = FLAT_PARTS.lastIndex - 2;
  }

  /** Reads an item that is large in pieces as well, and all that is open in it, so that nothing is looked at again. */
  #openFrames(): void {
    for (const [index, start] of this.#open.entries()) {
      if (this.#frame.comma >= 0) this.#readItems(this.#frame.comma);
      this.#around.push(this.#frame);
      this.#frame = { ...frameAt(this.#text, start), comma: this.#commas[index] as number };
    }
    this.#open.length = 0;
    this.#commas.length = 0;
  }

  #closeInner(): void {
    this.#open.pop();
    this.#commas.pop();
  }

  /** Reads the rest of a list or object, and adds that to what it is in. Returns whether it is the whole value. */
  #closeFrame(): boolean {
    const frame = this.#frame;
    if (this.#text.charCodeAt(this.#at) !== this.#text.charCodeAt(frame.start) + 2) throw notJson();
    this.#readRest(this.#at);
    const next = behindSpace(this.#text, this.#at + 1);
    const around = this.#around.pop();
    if (around) {
      this.#frame = around;
      this.#addItem(frame, next);
    } else if (next < this.#text.length) throw notJson();
    return around === undefined;
  }

  /** Adds a large item to the frame. @param next position of the text after it */
  #addItem({ value, start }: Frame, next: number): void {
    const frame = this.#frame;
    const [name, ...others] = Object.keys(this.#parsed(frame, `${this.#text.slice(frame.from, start)}0`));
    if (name === undefined || others.length > 0) throw notJson();
    if (Array.isArray(frame.value)) frame.value.push(value);
    else setMember(frame.value, name, value);
    const isComma = this.#text.charCodeAt(next) === COMMA;
    if (!isComma && !isClosing(this.#text.charCodeAt(next))) throw notJson();
    this.#goOn(isComma ? next + 1 : next, isComma);
    this.#at = frame.from - 1;
  }

  /** Reads the items up to a comma. */
  #readItems(end: number): void {
    if (!this.#read(end)) throw notJson();
    this.#goOn(end + 1, true);
  }

  /** Reads the items up to the end of the frame, where there may be none. */
  #readRest(end: number): void {
    if (!this.#read(end) && this.#frame.needsItem) throw notJson();
  }

  #goOn(from: number, needsItem: boolean): void {
    this.#frame.from = from;
    this.#frame.needsItem = needsItem;
    this.#frame.comma = -1;
  }

  /** Returns whether there were items. */
  #read(end: number): boolean {
    const frame = this.#frame;
    const piece = this.#parsed(frame, this.#text.slice(frame.from, end));
    if (Array.isArray(frame.value)) {
      for (const item of piece as readonly JsonValue[]) frame.value.push(item);
      return (piece as readonly JsonValue[]).length > 0;
    }
    const names = Object.keys(piece);
    for (const name of names) setMember(frame.value, name, (piece as Record<string, JsonValue>)[name]);
    return names.length > 0;
  }

  #parsed({ value }: Frame, items: string): readonly JsonValue[] | Record<string, JsonValue> {
    return JSON.parse(Array.isArray(value) ? `[${items}]` : `{${items}}`);
  }
}

/** Characters that begin, separate or end values; those of numbers, words and spaces do not. */
const PARTS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  '",[]{}'.includes(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Short scalars, and lists and objects of such, each with a comma behind it. An expression goes through thousands of them in the time in
 * which code that has not been optimized goes through hundreds, and the engine forgets what it optimized when it collects garbage.
 */
const FLAT_PARTS =
  /(?:(?:[^",[\]{}]|"[^"\\]{0,64}"|[[{](?:[^"[\]{}]|"[^"\\]{0,64}"){0,16}[\]}]){0,64},){1,64}/y;

function frameAt(text: string, start: number): Frame {
  const value = text[start] === '[' ? [] : {};
  return { value, start, from: start + 1, needsItem: false, comma: -1 };
}

/** `[` and `{`. */
const isOpening = (code: number): boolean => code === 0x5b || code === 0x7b;
/** `]` and `}`, each two behind its opening bracket. */
const isClosing = (code: number): boolean => code === 0x5d || code === 0x7d;

function behindSpace(text: string, start: number): number {
  let at = start;
  while (isSpace(text.charCodeAt(at))) at++;
  return at;
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/**
 * Returns the index of the quote that ends the string whose first quote is at `start`. With pauses: a string may have nearly nothing but
 * escaped quotes.
 * @throws SyntaxError if there is none
 */
export function* endOfStringSteps(text: string, start: number): Steps<number> {
  let end = text.indexOf('"', start + 1);
  for (let runs = 1; end !== -1 && isEscaped(text, end); runs++) {
    end = text.indexOf('"', behindEscapes(text, end + 1));
    if (runs % RUNS === 0) yield;
  }
  if (end === -1) throw notJson();
  return end;
}

/** Where the escapes end that follow each other closely: where one quote is escaped there may be very many. */
function behindEscapes(text: string, start: number): number {
  ESCAPES.lastIndex = start;
  return ESCAPES.test(text) ? ESCAPES.lastIndex : start;
}

/** The same for strings without an escaped quote; negative for others. */
function endOfPlainString(text: string, start: number): number {
  const end = text.indexOf('"', start + 1);
  return text.charCodeAt(end - 1) === BACKSLASH ? -1 : end;
}

/** Whether the character at an index of a JSON string is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

const notJson = (): SyntaxError => new SyntaxError('the text is not JSON');
