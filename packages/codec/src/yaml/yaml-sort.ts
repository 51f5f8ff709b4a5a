const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;

/** The order of keys in printed YAML: letters after everything else, runs of digits by their number. */
export function compareYamlKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) if (left[i] !== right[i]) return compareAt(left, right, i);
  return left.length - right.length;
}

function compareAt(left: readonly string[], right: readonly string[], at: number): number {
  const x = left[at] as string;
  const y = right[at] as string;
  const letters = [LETTER.test(x), LETTER.test(y)];
  if (letters[0] && letters[1]) return codePointOf(x) - codePointOf(y);
  if (letters[0] || letters[1]) return letters[1] ? -1 : 1;
  const behindNumber = (x === '0' || y === '0') && followsNumber(left, at);
  const m = numberAt(left, at, behindNumber);
  const n = numberAt(right, at, behindNumber);
  if (m.value !== n.value) return m.value < n.value ? -1 : 1;
  if (m.end !== n.end) return m.end - n.end;
  return codePointOf(x) - codePointOf(y);
}

/** Whether the digits before a position make a number other than 0. */
function followsNumber(characters: readonly string[], at: number): boolean {
  for (let i = at - 1; i >= 0 && DIGIT.test(characters[i] as string); i--)
    if (characters[i] !== '0') return true;
  return false;
}

function numberAt(
  characters: readonly string[],
  at: number,
  behindNumber: boolean,
): { value: bigint; end: number } {
  let value = behindNumber ? 1n : 0n;
  let end = at;
  for (; end < characters.length && DIGIT.test(characters[end] as string); end++)
    value = BigInt.asIntN(64, value * 10n + BigInt(codePointOf(characters[end] as string) - 0x30));
  return { value, end };
}

function codePointOf(character: string): number {
  return character.codePointAt(0) as number;
}
