import { codePointCount } from './strings.ts';

/**
 * Units of reading the shorter of two texts. Counting code points is left out where it cannot matter: a text of one unit
 * of cost is as dear as it has UTF-16 code units.
 */
export function shorterTextCost(a: string, b: string, unit: number): number {
  const shorter = a.length < b.length ? a.length : b.length;
  if (shorter * unit <= 1) return shorter === 0 ? 0 : Math.ceil(unit);
  return Math.ceil(Math.min(codePointCount(a), codePointCount(b)) * unit);
}

/** Texts longer than this are counted every time rather than kept. */
const LONGEST_KEPT = 256;

/** {@link shorterTextCost} that remembers the last texts it has met: loops meet the same ones over and over. */
export function shorterTextMeter(unit: number): (a: string, b: string) => number {
  if (unit === 0) return () => 0;
  const [sizeOfFirst, sizeOfSecond] = [rememberedSize(), rememberedSize()];
  return (a, b) => {
    const shorter = a.length < b.length ? a.length : b.length;
    if (shorter * unit <= 1) return shorter === 0 ? 0 : Math.ceil(unit);
    return Math.ceil(Math.min(sizeOfFirst(a), sizeOfSecond(b)) * unit);
  };
}

function rememberedSize(): (text: string) => number {
  let last = '';
  let size = 0;
  return (text) => {
    if (text === last) return size;
    const counted = codePointCount(text);
    if (text.length <= LONGEST_KEPT) {
      last = text;
      size = counted;
    }
    return counted;
  };
}
