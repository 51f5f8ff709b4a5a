/**
 * Whether two texts of typed errors say the same: what follows `got` is a dump, lines have no order upstream, and where the walk of a
 * map ends, at its first unknown field, hangs on the order of its keys, which has none either (semantics/apply#apply-algorithm, step 2).
 */
export function sameTypedErrors(expected: string, actual: string): boolean {
  const [left, right] = [readErrors(expected), readErrors(actual)];
  if (left.start !== right.start) return false;
  const smaller = left.errors.length <= right.errors.length ? left : right;
  const larger = smaller === left ? right : left;
  const isPart = smaller.errors.every((error) => larger.errors.includes(error));
  if (smaller.errors.length === larger.errors.length) return isPart;
  return isPart && smaller.errors.some((error) => error.endsWith(': field not declared in schema'));
}

/** The errors of `start: error`, or of `start: errors:` and a line for each. */
function readErrors(text: string): { start: string; errors: string[] } {
  const [first = '', ...lines] = text.replace(/got .*/g, 'got …').split('\n');
  if (lines.length > 0)
    return { start: first.replace(/errors:$/, ''), errors: lines.map((line) => line.trim()) };
  const from = Math.max(first.indexOf('): ') + 3, first.indexOf('smd typed: ') + 11, 0);
  const start = first.includes('): ') || first.includes('smd typed: ') ? first.slice(0, from) : '';
  return { start, errors: [first.slice(start.length)] };
}
