/**
 * Whether two texts of typed errors are equal: text after `got` is a dump, lines are unordered in the
 * reference, and the first unknown field of a map, at which validation stops, depends on the order of its
 * keys, which is random too (semantics/apply#apply-algorithm, step 2).
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

/** The errors of `start: error`, or of `start: errors:` and one per line. */
function readErrors(text: string): { start: string; errors: string[] } {
  const [first = '', ...lines] = text.replace(/got .*/g, 'got …').split('\n');
  if (lines.length > 0)
    return { start: first.replace(/errors:$/, ''), errors: lines.map((line) => line.trim()) };
  const from = Math.max(first.indexOf('): ') + 3, first.indexOf('smd typed: ') + 11, 0);
  const start = first.includes('): ') || first.includes('smd typed: ') ? first.slice(0, from) : '';
  return { start, errors: [first.slice(start.length)] };
}
