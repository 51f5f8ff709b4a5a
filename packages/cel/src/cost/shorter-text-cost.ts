import { codePointCount } from '../values/strings.ts';

/**
 * Units of reading the shorter of two texts. Code points are not counted where that cannot matter: a text
 * that costs one unit costs as much as its UTF-16 code units.
 */
export function shorterTextCost(a: string, b: string, unit: number): number {
  const shorter = a.length < b.length ? a.length : b.length;
  if (shorter * unit <= 1) return shorter === 0 ? 0 : Math.ceil(unit);
  return Math.ceil(Math.min(codePointCount(a), codePointCount(b)) * unit);
}
