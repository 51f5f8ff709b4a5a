/** Number of arguments of a call that every engine supports. */
const CHUNK = 8192;

/**
 * The text of UTF-16 code units, which may be millions. The units are passed as they are: an engine iterates what is
 * spread, which takes five times as long.
 */
export function textOfCodeUnits(units: Uint16Array | Uint8Array): string {
  if (units.length <= CHUNK) return textOfFew(units);
  const parts: string[] = [];
  for (let at = 0; at < units.length; at += CHUNK) parts.push(textOfFew(units.subarray(at, at + CHUNK)));
  return parts.join('');
}

const textOfFew = (units: ArrayLike<number>): string =>
  Reflect.apply(String.fromCharCode, undefined, units) as string;
