/**
 * Fails with both sides in its message unless two plain values (records, arrays, byte arrays, primitives) are
 * equal.
 */
export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!isEqual(actual, expected)) {
    throw new Error(`${what}: expected ${show(expected)}, got ${show(actual)}`);
  }
}

/** Fails with this message unless the condition holds. */
export function assertThat(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(what);
}

/** The error of this class with which a call fails, thrown or rejected. */
export async function assertFails<E extends Error>(
  call: () => unknown,
  kind: abstract new (...parameters: never[]) => E,
  what: string,
): Promise<E> {
  let result: unknown;
  try {
    result = await call();
  } catch (error) {
    if (error instanceof kind) return error;
    throw new Error(`${what}: expected ${kind.name}, got ${error}`, { cause: error });
  }
  throw new Error(`${what}: expected ${kind.name}, but it answered ${show(result)}`);
}

function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.keys(a).filter((name) => (a as Record<string, unknown>)[name] !== undefined);
  const right = Object.keys(b).filter((name) => (b as Record<string, unknown>)[name] !== undefined);
  return (
    left.length === right.length &&
    left.every((name) => isEqual((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]))
  );
}

const show = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (part instanceof Uint8Array ? `<${part.length} bytes>` : part)) ??
  String(value);
