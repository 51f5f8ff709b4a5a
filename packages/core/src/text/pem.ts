import type { Steps } from '../contracts/steps.ts';
import { decodeBase64Steps } from './base64-steps.ts';
import { textOfCodeUnits } from './code-units.ts';

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  /** `CERTIFICATE`, `EC PRIVATE KEY`, … */
  readonly type: string;
  readonly bytes: Uint8Array;
}

const DASHES = '-----';
const BLANK_LINES = /\s*\n/y;

/**
 * The blocks of a PEM text; text between them and blocks without base64 are skipped. A block ends at the
 * first line that ends one or begins another, so the text is read once.
 */
export function readPem(text: string): readonly PemBlock[] {
  return [...pemBlocks(text)].filter((block) => block !== undefined);
}

/**
 * The same, one by one: what is behind the last block that is taken is not read. It yields `undefined` wherever
 * other work may run.
 */
export function* pemBlocks(text: string): Generator<PemBlock | undefined, void, undefined> {
  let open: { readonly type: string; readonly from: number } | undefined;
  let lines = 0;
  for (const [start, end] of dashedLines(text)) {
    if (++lines % STRIDE === 0) yield undefined;
    const line = text.slice(start, end).trimEnd();
    const begins = typeIn(line, `${DASHES}BEGIN `);
    const ends = begins === undefined ? typeIn(line, `${DASHES}END `) : undefined;
    if (begins === undefined && ends === undefined) continue;
    const bytes = open && open.type === ends ? yield* bytesSteps(text.slice(open.from, start)) : undefined;
    if (bytes && ends !== undefined) yield { type: ends, bytes };
    open = begins === undefined ? undefined : { type: begins, from: end + 1 };
  }
}

/** Lines of dashes that are read between two pauses. */
const STRIDE = 4096;

/** Positions of the lines that begin with dashes, without their line ends. */
function* dashedLines(text: string): Generator<readonly [start: number, end: number]> {
  for (let at = text.indexOf(DASHES); at >= 0; at = text.indexOf(DASHES, at)) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    if (at === 0 || text[at - 1] === '\n') yield [at, end];
    at = end;
  }
}

/** The type that a line names between its prefix and the dashes at its end. */
function typeIn(line: string, beginning: string): string | undefined {
  return line.startsWith(beginning) &&
    line.endsWith(DASHES) &&
    line.length >= beginning.length + DASHES.length
    ? line.slice(beginning.length, -DASHES.length)
    : undefined;
}

/** Removes lines of `name: value`, if an empty one follows them. */
function withoutHeaders(body: string): string {
  let at = 0;
  for (;;) {
    const end = body.indexOf('\n', at);
    const colon = body.indexOf(':', at);
    if (end < 0 || colon <= at || colon > end) break;
    at = end + 1;
  }
  BLANK_LINES.lastIndex = at;
  return at > 0 && BLANK_LINES.test(body) ? body.slice(BLANK_LINES.lastIndex) : body;
}

function* bytesSteps(body: string): Steps<Uint8Array | undefined> {
  const digits = yield* withoutSpacesSteps(withoutHeaders(body));
  if (digits === undefined) return undefined;
  try {
    return yield* decodeBase64Steps(digits);
  } catch {
    return undefined;
  }
}

/** Number of characters that are read between two pauses. */
const PIECE = 64 * 1024;
const NOT_BASE64 = /[^\sA-Za-z0-9+/=]/;
const LARGEST_ASCII = 0x7f;
const SPACE = 0x20;

/** A text of base64 and spaces without these; undefined if there is anything else in it. */
function* withoutSpacesSteps(text: string): Steps<string | undefined> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += PIECE) {
    const piece = text.slice(at, at + PIECE);
    if (NOT_BASE64.test(piece)) return undefined;
    pieces.push(withoutSpaces(piece));
    if (at + PIECE < text.length) yield;
  }
  return pieces.join('');
}

/** Spaces may be every other character: they are not cut out one by one. */
function withoutSpaces(text: string): string {
  const units = new Uint8Array(text.length);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > SPACE && unit <= LARGEST_ASCII) units[length++] = unit;
  }
  return textOfCodeUnits(units.subarray(0, length));
}
