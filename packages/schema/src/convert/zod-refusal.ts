/** An error that names the place in a zod type; `path` is empty for the root. */
export function refusal(path: string, why: string): TypeError {
  return new TypeError(`zod type of ${path === '' ? 'the root' : path}: ${why}`);
}
