/** A double with the fewest digits that tell it apart, with an exponent where it is large or small. */
export function shortestText(value: number): string {
  if (!Number.isFinite(value)) return nonFinite(value);
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  const power = Number(exponent);
  if (power < -4 || power >= 21) return `${signed(value, digits)}e${exponentText(power)}`;
  return plainText(value);
}

const nonFinite = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf');

/** toExponential loses the sign of a negative zero. */
const signed = (value: number, digits: string): string => (Object.is(value, -0) ? `-${digits}` : digits);

const exponentText = (power: number): string =>
  `${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;

/** A finite double with the fewest digits that tell it apart, never with an exponent. */
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

/** A finite double with so many digits after the point, rounded from its exact value to even. */
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

/** A finite double as one digit, a point, so many digits more, and the power of ten. */
export function exponentialParts(value: number, digits: number): { mantissa: string; power: number } {
  if (value === 0) {
    const mantissa = digits > 0 ? `0.${'0'.repeat(digits)}` : '0';
    return { mantissa: Object.is(value, -0) ? `-${mantissa}` : mantissa, power: 0 };
  }
  const kept = Math.min(digits, 100);
  const [mantissa, exponent] = value.toExponential(kept).split('e') as [string, string];
  return { mantissa: mantissa + '0'.repeat(digits - kept), power: Number(exponent) };
}

/** As {@link exponentialParts}, written `1.5e+03`. */
export function exponentialText(value: number, digits: number): string {
  const { mantissa, power } = exponentialParts(value, digits);
  return `${mantissa}e${exponentText(power)}`;
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
