import { type FieldError, parseQuantity, type Vocabulary } from '@ashlar/core';
import { invalidWhen } from '../field-rules.ts';
import { isCounted } from './resource-names.ts';

/** A quantity that is not negative. */
export function nonNegativeAmount(amount: string, path: string): readonly FieldError[] {
  return invalidWhen(parseQuantity(amount).sign < 0, path, amount, NEGATIVE);
}

const NEGATIVE = 'must be greater than or equal to 0';

/** A quantity greater than zero. */
export function positiveAmount(amount: string, path: string): readonly FieldError[] {
  return invalidWhen(parseQuantity(amount).sign <= 0, path, amount, 'must be greater than zero');
}

/** Errors of the amount of a resource: of what is counted there are whole units. */
export function amountErrors(
  name: string,
  amount: string,
  vocabulary: Vocabulary,
  path: string,
): readonly FieldError[] {
  const quantity = parseQuantity(amount);
  return [
    ...invalidWhen(quantity.sign < 0, path, amount, NEGATIVE),
    ...invalidWhen(
      isCounted(name, vocabulary) && quantity.milliValue() % 1000n !== 0n,
      path,
      amount,
      'must be an integer',
    ),
  ];
}
