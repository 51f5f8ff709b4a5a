/** How many zeros stand at the end of digits. */
export function trailingZeros(digits: string): number {
  let start = digits.length;
  while (digits.charCodeAt(start - 1) === 0x30) start--;
  return digits.length - start;
}

/** Digits without the zeros at their end. */
export function withoutTrailingZeros(digits: string): string {
  return digits.slice(0, digits.length - trailingZeros(digits));
}
