/** What a Unicode class such as `\p{L}` counts, which has hundreds of ranges. */
const UNICODE_CLASS_COST = 500;

/** Characters of a range that count one where case is ignored: compiling visits each of them. */
const FOLDED_CHARACTERS = 4;

/** The last character that has a case. */
const LAST_WITH_CASE = 0x1e943;

/** Flags that ignore case, for a group or for the rest of the pattern. */
const IGNORED_CASE = /\(\?[A-Za-z-]*i/;

/** Whether some part of a pattern (RE2 syntax) ignores case. */
export const ignoresCase = (source: string): boolean => IGNORED_CASE.test(source);

const HEXADECIMAL = /\\x\{([0-9A-Fa-f]{1,6})\}/y;

/**
 * What compiling the character classes of a pattern (RE2 syntax) costs beyond its length, in characters of usual patterns. What looks
 * like a part of a class counts outside of classes, too.
 *
 * @example patternClassCost('^\\p{L}+$') // 500
 */
export function patternClassCost(source: string): number {
  const isFolded = ignoresCase(source);
  let cost = 0;
  let before = 0;
  for (let at = 0; at < source.length; ) {
    const { code, length } = characterAt(source, at);
    at += length;
    if (isUnicodeClass(source, at - length)) cost += UNICODE_CLASS_COST;
    else if (isFolded && code === DASH) cost += foldedRangeCost(before, characterAt(source, at).code);
    before = code;
  }
  return cost;
}

const DASH = '-'.charCodeAt(0);

const isUnicodeClass = (source: string, at: number): boolean =>
  source[at] === '\\' && (source[at + 1] === 'p' || source[at + 1] === 'P');

/** A character or escape; only escapes of large characters have their code. */
function characterAt(source: string, at: number): { readonly code: number; readonly length: number } {
  if (source[at] !== '\\') {
    const code = source.codePointAt(at) ?? 0;
    return { code, length: code > 0xffff ? 2 : 1 };
  }
  HEXADECIMAL.lastIndex = at;
  const [text = '\\.', digits = '0'] = HEXADECIMAL.exec(source) ?? [];
  return { code: Number.parseInt(digits, 16), length: text.length };
}

const foldedRangeCost = (first: number, last: number): number =>
  Math.max(0, Math.floor((Math.min(last, LAST_WITH_CASE) - first) / FOLDED_CHARACTERS));
