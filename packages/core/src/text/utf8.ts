/** Number of bytes of a text in UTF-8; lone surrogates count as the replacement character that encoders write for them. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes++;
    if (unit < 0x800) continue;
    if (isPairAt(text, i)) i++;
    bytes++;
  }
  return bytes;
}

/**
 * Compares strings by their UTF-8 bytes, as stores and other implementations do; negative, zero or positive.
 * Differs from `<` beyond U+FFFF, where UTF-16 surrogates sort below U+E000.
 */
export function compareUtf8(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Returns the longest prefix of a text of at most `maximumBytes` bytes in UTF-8; characters are not cut. */
export function utf8Prefix(text: string, maximumBytes: number): string {
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    const width = isPairAt(text, i) ? 2 : 1;
    bytes += utf8Length(text.slice(i, i + width));
    if (bytes > maximumBytes) return text.slice(0, i);
    i += width;
  }
  return text;
}

function isPairAt(text: string, index: number): boolean {
  return (
    isBetween(text.charCodeAt(index), 0xd800, 0xdbff) && isBetween(text.charCodeAt(index + 1), 0xdc00, 0xdfff)
  );
}

const isBetween = (unit: number, low: number, high: number): boolean => unit >= low && unit <= high;

/** Moves surrogates above the rest of the basic plane, where their characters sort in UTF-8. */
const rank = (unit: number): number => (isBetween(unit, 0xd800, 0xdfff) ? unit + 0x2800 : unit);
