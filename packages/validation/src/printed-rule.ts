import { goQuote, PrintedValue, type ValidationRule } from '@ashlar/core';

/**
 * A rule as the errors of definitions print it (semantics/schemas#rules): pointers print as an address, which
 * is meaningless.
 */
export function printedRule(rule: ValidationRule): PrintedValue {
  const text = (value: string | undefined): string => goQuote(value ?? '');
  const pointer = (type: string, value: unknown): string =>
    `(*${type})(${value === undefined ? 'nil' : '0xc000000000'})`;
  const fields = [
    `Rule:${text(rule.rule)}`,
    `Message:${text(rule.message)}`,
    `MessageExpression:${text(rule.messageExpression)}`,
    `Reason:${pointer('apiextensions.FieldValueErrorReason', rule.reason)}`,
    `FieldPath:${text(rule.fieldPath)}`,
    `OptionalOldSelf:${pointer('bool', rule.optionalOldSelf)}`,
  ];
  return new PrintedValue(`apiextensions.ValidationRule{${fields.join(', ')}}`);
}
