import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../errors/field-error.ts';
import { choiceErrors, requiredChoiceErrors } from './choice-errors.ts';

const texts = (check: typeof choiceErrors, value: string | undefined): readonly string[] =>
  check('spec.policy', value, ['Always', 'Never']).map(fieldErrorText);

const unsupported = (value: string): string =>
  `spec.policy: Unsupported value: "${value}": supported values: "Always", "Never"`;

describe('the error of a field with a choice of values', () => {
  it('is given for other values, and for the empty one', () => {
    expect(texts(choiceErrors, 'Never')).toEqual([]);
    expect(texts(choiceErrors, undefined)).toEqual([]);
    expect(texts(choiceErrors, 'never')).toEqual([unsupported('never')]);
    expect(texts(choiceErrors, '')).toEqual([unsupported('')]);
  });

  it('calls a required value missing if it is empty', () => {
    expect(texts(requiredChoiceErrors, 'Always')).toEqual([]);
    expect(texts(requiredChoiceErrors, undefined)).toEqual(['spec.policy: Required value']);
    expect(texts(requiredChoiceErrors, '')).toEqual(['spec.policy: Required value']);
    expect(texts(requiredChoiceErrors, 'other')).toEqual([unsupported('other')]);
  });
});
