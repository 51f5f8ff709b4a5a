/** A value with its integers in the form of engines that distinguish them from doubles. */
export function withBigints(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withBigints);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withBigints(inner)]));
  }
  return Number.isInteger(value) ? BigInt(value as number) : value;
}
