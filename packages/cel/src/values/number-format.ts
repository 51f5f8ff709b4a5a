/** Prints a finite double with the fewest digits that identify it, never with an exponent. */
export function plainText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  if (!text.includes('e')) return text;
  const [mantissa, exponent] = text.split('e') as [string, string];
  const power = Number(exponent);
  const negative = mantissa.startsWith('-');
  const [whole, fraction = ''] = mantissa.replace('-', '').split('.') as [string, string?];
  const digits = whole + fraction;
  const point = whole.length + power;
  const body = point <= 0 ? `0.${'0'.repeat(-point)}${digits}` : digits.padEnd(point, '0');
  return (negative ? '-' : '') + body;
}

/** Prints a finite double with a number of decimals, its exact value rounded half to even. */
export function fixedText(value: number, digits: number): string {
  const negative = value < 0 || Object.is(value, -0);
  const { numerator, denominator } = exactFraction(Math.abs(value));
  const scaled = roundHalfEven(numerator * 10n ** BigInt(digits), denominator)
    .toString()
    .padStart(digits + 1, '0');
  const whole = scaled.slice(0, scaled.length - digits);
  const fraction = digits > 0 ? `.${scaled.slice(scaled.length - digits)}` : '';
  return `${negative ? '-' : ''}${whole}${fraction}`;
}

/** Returns the mantissa of a finite double, with one digit before the point and `digits` after it, and the power of ten. */
export function exponentialParts(value: number, digits: number): { mantissa: string; power: number } {
  if (value === 0) {
    const mantissa = digits > 0 ? `0.${'0'.repeat(digits)}` : '0';
    return { mantissa: Object.is(value, -0) ? `-${mantissa}` : mantissa, power: 0 };
  }
  const precision = Math.min(digits, 100);
  const [mantissa, exponent] = value.toExponential(precision).split('e') as [string, string];
  return { mantissa: mantissa + '0'.repeat(digits - precision), power: Number(exponent) };
}

/** Prints a finite double in scientific notation: `1.5e+03`. */
export function exponentialText(value: number, digits: number): string {
  const { mantissa, power } = exponentialParts(value, digits);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}

function exactFraction(value: number): { numerator: bigint; denominator: bigint } {
  let exponent = 0;
  let mantissa = value;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent++;
  }
  return { numerator: BigInt(mantissa), denominator: 2n ** BigInt(exponent) };
}

function roundHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}
