import { ParseError } from '../errors/parse-error.ts';
import { excerpt } from '../text/excerpt.ts';
import { MAXIMUM_DURATION_LENGTH, parseDuration } from './duration.ts';
import { integerErrorText, parseInt64 } from './integer-text.ts';

const DAY = 86_400_000_000_000n;

/** Units with their nanoseconds. */
const UNITS: readonly (readonly [pattern: RegExp, nanoseconds: bigint])[] = [
  [/^(?:ns|nano.*)$/, 1n],
  [/^(?:us|µs|micro.*)$/, 1_000n],
  [/^(?:ms|milli.*)$/, 1_000_000n],
  [/^(?:s|sec.*)$/, 1_000_000_000n],
  [/^(?:m|min.*)$/, 60_000_000_000n],
  [/^(?:h|hr|hour.*)$/, 3_600_000_000_000n],
  [/^(?:d|day.*)$/, DAY],
  [/^(?:w|wk|week.*)$/, 7n * DAY],
];

/**
 * Nanoseconds of a text of the format `duration`: a duration of {@link parseDuration}, or numbers with words, as in `3 days` and
 * `P1D`, whose sum wraps beyond 64 bits. Words that are no units are ignored, if at least one is.
 *
 * @throws ParseError `unable to parse x as duration`; also for a number beyond 64 bits, and for more than ten thousand characters
 */
export function parseWordedDuration(text: string): bigint {
  try {
    return parseDuration(text);
  } catch (error) {
    if (!ParseError.is(error)) throw error;
  }
  if (text.length > MAXIMUM_DURATION_LENGTH) throw unreadable(text);
  let sum: bigint | undefined;
  for (const { factor, unit } of wordedParts(text)) {
    const count = countOf(factor);
    const nanoseconds = UNITS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
    if (nanoseconds !== undefined) sum = BigInt.asIntN(64, (sum ?? 0n) + count * nanoseconds);
  }
  if (sum === undefined) throw unreadable(text);
  return sum;
}

const unreadable = (text: string): ParseError =>
  new ParseError(`unable to parse ${excerpt(text)} as duration`);

const DIGITS = /\d+/y;
const SPACES = /[\t\n\f\r ]*/y;
const WORD = /[A-Za-zµ]+/y;

/** The numbers of a text that words follow; each character is read once. */
function* wordedParts(text: string): Generator<{ readonly factor: string; readonly unit: string }> {
  for (let at = 0; at < text.length; ) {
    const factor = takeAt(DIGITS, text, at);
    if (factor === '') at++;
    else {
      const end = at + factor.length;
      const start = end + takeAt(SPACES, text, end).length;
      const unit = takeAt(WORD, text, start);
      at = start + unit.length;
      if (unit !== '') yield { factor, unit };
    }
  }
}

function takeAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}

function countOf(digits: string): bigint {
  const count = parseInt64(digits);
  if (count === undefined) throw new ParseError(integerErrorText('Atoi', digits));
  return count;
}
