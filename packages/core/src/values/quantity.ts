import {
  type Amount,
  addAmounts,
  approximateNumber,
  atExponent,
  compareAmounts,
  decimalText,
  int64At,
  multiplyAmount,
  scaledInt64,
  signOf,
} from './quantity-amount.ts';
import { type QuantityFormat, quantityText, type ReadQuantity, readQuantity } from './quantity-text.ts';

/**
 * An exact decimal quantity: amounts of memory, processors, storage. Immutable. Rounded away from zero to a
 * billionth. Create one with `parseQuantity` or `quantityOf`.
 */
export class Quantity {
  readonly format: QuantityFormat;
  readonly #amount: Amount;
  #text: string | undefined;

  /** @internal */
  constructor({ amount, format, text }: ReadQuantity) {
    this.#amount = amount;
    this.format = format;
    this.#text = text;
  }

  /** -1, 0 or 1. */
  get sign(): -1 | 0 | 1 {
    return signOf(this.#amount);
  }

  /** The canonical text; the spelling that was parsed if that is already canonical. */
  toString(): string {
    this.#text ??= quantityText(this.#amount, this.format);
    return this.#text;
  }

  /** The JSON form: the canonical text. */
  toJSON(): string {
    return this.toString();
  }

  /**
   * All digits, without a suffix: `0.100`.
   * @throws RangeError if there would be more than a hundred thousand of them
   */
  toDecimal(): string {
    return decimalText(this.#amount);
  }

  /**
   * Whole units, rounded up, in 64 bits. Larger values wrap or are 0, as in other implementations: see
   * `toInt64`.
   */
  value(): bigint {
    return scaledInt64(this.#amount, 0);
  }

  /** Thousandths, rounded up, in 64 bits; larger values as in `value`. */
  milliValue(): bigint {
    return scaledInt64(this.#amount, -3);
  }

  /** The quantity as an integer of 64 bits, if it was given as one: `1.0` and larger values were not. */
  toInt64(): bigint | undefined {
    return this.#amount.small && this.#amount.exponent >= 0 ? int64At(this.#amount, 0) : undefined;
  }

  /** A double near the quantity; the last digit may be off, and infinity stands for values beyond doubles. */
  toApproximateNumber(): number {
    return approximateNumber(this.#amount);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    return compareAmounts(this.#amount, other.#amount);
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  /**
   * The sum, in the format of this quantity, or of the other if this one is zero.
   * @throws RangeError if the sum would have tens of thousands of digits
   */
  add(other: Quantity): Quantity {
    return new Quantity({ amount: addAmounts(this.#amount, other.#amount), format: this.#formatWith(other) });
  }

  /**
   * The difference, in the format as of `add`.
   * @throws RangeError as `add` does
   */
  subtract(other: Quantity): Quantity {
    const negative = { ...other.#amount, value: -other.#amount.value };
    return new Quantity({ amount: addAmounts(this.#amount, negative), format: this.#formatWith(other) });
  }

  #formatWith(other: Quantity): QuantityFormat {
    return this.sign === 0 ? other.format : this.format;
  }

  multiply(by: bigint): Quantity {
    return new Quantity({ amount: multiplyAmount(this.#amount, by), format: this.format });
  }

  negate(): Quantity {
    const { value, ...rest } = this.#amount;
    return new Quantity({ amount: { ...rest, value: -value }, format: this.format });
  }

  /**
   * Rounds away from zero to a multiple of ten to the `scale`; also whether it was one before.
   * @param scale 0 for whole units, -3 for thousandths
   */
  roundUp(scale: number): { readonly quantity: Quantity; readonly exact: boolean } {
    if (this.#amount.small && this.#amount.exponent >= scale) return { quantity: this, exact: true };
    const { amount, exact } = atExponent(this.#amount, scale);
    return { quantity: new Quantity({ amount, format: this.format }), exact };
  }
}

/**
 * Parses a quantity: a decimal number with a suffix of `n u m k M G T P E`, `Ki Mi Gi Ti Pi Ei` or an
 * exponent.
 *
 * @example
 * const memory = parseQuantity('1.5Gi');
 * memory.toString(); // 1536Mi
 * memory.value(); // 1610612736n
 *
 * @throws ParseError with the recorded texts (suite `quantity`), and for numbers of more than a thousand
 * digits
 */
export function parseQuantity(text: string): Quantity {
  return new Quantity(readQuantity(text));
}

/** A quantity of whole units. */
export function quantityOf(value: bigint, format: QuantityFormat = 'DecimalSI'): Quantity {
  return new Quantity({ amount: { value, exponent: 0, small: BigInt.asIntN(64, value) === value }, format });
}
