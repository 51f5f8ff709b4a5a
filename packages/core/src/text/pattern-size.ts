import { ignoresCase, patternClassCost } from './pattern-class-cost.ts';

/** Maximum size of one pattern, as {@link patternSize} counts: compiling takes up to a kilobyte for each unit. */
export const MAXIMUM_PATTERN_SIZE = 20_000;

/** Maximum of it without what classes cost: instructions that are compiled in one piece, a thousand of them in up to eight milliseconds. */
const MAXIMUM_INSTRUCTIONS = 5_000;
/** What an instruction of a repetition counts then: it is copied and simplified first. */
const REPEATED_INSTRUCTION = 2;

/** The error of larger patterns. */
export const PATTERN_TOO_LARGE = 'error parsing regexp: expression too large';

/** An open group: its size so far, and that of the last item, which a repetition repeats. */
interface Group {
  total: number;
  last: number;
}

/** A group counts one more for this number of groups around it: the engine visits it for each of them. */
const DEPTH_OF_UNIT = 16;

/** RE2 repeats nothing more often. */
const MAXIMUM_REPETITION = 1000;

const REPETITION = /\{(\d{1,4})(?:,(\d{0,4}))?\}/y;

/**
 * Approximate number of instructions that a pattern (RE2 syntax) is compiled to: its characters, multiplied
 * by repetitions `{n}`, what character classes cost beyond them, and what deep nesting costs. Invalid patterns have some size too. Counting
 * ends above {@link MAXIMUM_PATTERN_SIZE}.
 */
export function patternSize(source: string): number {
  const size = repeatedSize(source);
  return size > MAXIMUM_PATTERN_SIZE ? size : size + patternClassCost(source);
}

/** Whether a pattern is larger than a new one may be. */
export function isPatternTooLarge(source: string): boolean {
  return (
    repeatedSize(source, REPEATED_INSTRUCTION) > MAXIMUM_INSTRUCTIONS ||
    patternSize(source) > MAXIMUM_PATTERN_SIZE
  );
}

/**
 * What a pattern counts among all patterns of a schema. Classes that ignore case count twice: a definition of a few kilobytes may have many,
 * and each takes some milliseconds.
 */
export function sizeAmongPatterns(source: string): number {
  const size = patternSize(source);
  return size <= MAXIMUM_PATTERN_SIZE && ignoresCase(source) ? size + patternClassCost(source) : size;
}

/** The size without what classes cost. */
function repeatedSize(source: string, ofRepeated = 1): number {
  const groups: Group[] = [];
  let group: Group = { total: 0, last: 0 };
  /** Of all open groups. */
  let size = 0;
  const add = (more: number): void => {
    group.total += more;
    group.last = more;
    size += more;
  };
  for (let at = 0; at < source.length && size <= MAXIMUM_PATTERN_SIZE; at++) {
    const character = source[at];
    if (character === '\\') {
      add(1);
      at++;
    } else if (character === '(') {
      groups.push(group);
      const own = 2 + Math.floor(groups.length / DEPTH_OF_UNIT);
      group = { total: own, last: 0 };
      size += own;
    } else if (character === ')') {
      const { total } = group;
      group = groups.pop() ?? { total: 0, last: 0 };
      size -= total;
      add(total);
    } else if (character === '{') {
      size -= group.total;
      at += repeat(source, at, group, ofRepeated);
      size += group.total;
    } else add(1);
  }
  return size;
}

/** Counts a repetition; returns the number of its characters after the brace. */
function repeat(source: string, at: number, group: Group, ofRepeated: number): number {
  REPETITION.lastIndex = at;
  const found = REPETITION.exec(source);
  if (!found) {
    group.total++;
    group.last = 1;
    return 0;
  }
  const [text, least = '0', most = ''] = found;
  const count = Math.max(1, Number(least), Number(most));
  // the engine refuses more, which is the error to report
  const times = count > MAXIMUM_REPETITION ? 1 : count;
  const repeated = group.last * times * (times > 1 ? ofRepeated : 1);
  group.total += repeated - group.last;
  group.last = repeated;
  return text.length - 1;
}
