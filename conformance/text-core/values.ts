import {
  durationText,
  fromJsonDuration,
  fromJsonIntOrString,
  fromJsonMicroTime,
  fromJsonTime,
  humanDuration,
  integerOf,
  type JsonValue,
  microTimeText,
  parseQuantity,
  type Quantity,
  scaledInteger,
  shortHumanDuration,
  timeText,
} from '@ashlar/core';
import { type CaseRunner, orError } from './run-oracles.ts';

const quantity: CaseRunner = {
  inputs: ['text'],
  answer: ({ text, approximate }) =>
    orError(() => {
      const value = parseQuantity(text);
      const near = value.toApproximateNumber();
      return {
        // Doubles are compared as such, in any spelling.
        approximate: Object.is(near, doubleOf(approximate)) ? approximate : String(near),
        asInt64: value.toInt64()?.toString(),
        decimal: value.toDecimal(),
        format: value.format,
        json: JSON.stringify(value),
        milliValue: String(value.milliValue()),
        print: String(value),
        sign: value.sign,
        value: String(value.value()),
      };
    }),
};

const doubleOf = (text: string): number => Number(text.replace('Inf', 'Infinity'));

const arithmetic: CaseRunner = {
  inputs: ['a', 'b', 'times'],
  answer: (test) => {
    const a = parseQuantity(test.a);
    const b = parseQuantity(test.b);
    const { quantity: rounded, exact } = a.roundUp(0);
    return {
      add: String(a.add(b)),
      sub: String(a.subtract(b)),
      mul: String(a.multiply(BigInt(test.times))),
      negateA: String(a.negate()),
      compare: a.compare(b),
      equal: a.equals(b),
      rounded: referenceSpelling(rounded, test.rounded),
      roundUp: exact,
    };
  },
};

/**
 * The reference loses the spelling of `a` after comparing it to a large `b`, because comparing converts in
 * place. Both the original and the canonical spelling are right.
 */
function referenceSpelling(rounded: Quantity, expected: string): string {
  const canonical = String(rounded.negate().negate());
  return canonical === expected ? canonical : String(rounded);
}

const time: CaseRunner = {
  inputs: ['json'],
  answer: ({ json }) => {
    const value = JSON.parse(json) as JsonValue;
    return {
      ...orError(() => ({ time: printed(fromJsonTime(value), timeText) }), 'timeError'),
      ...orError(() => ({ micro: printed(fromJsonMicroTime(value), microTimeText) }), 'microError'),
    };
  },
};

const printed = <T>(value: T | undefined, print: (value: T) => string): string =>
  value === undefined ? 'null' : JSON.stringify(print(value));

const duration: CaseRunner = {
  inputs: ['json'],
  answer: ({ json }) =>
    orError(() => {
      const nanoseconds = fromJsonDuration(JSON.parse(json) as JsonValue);
      return { nanoseconds: String(nanoseconds), print: JSON.stringify(durationText(nanoseconds)) };
    }),
};

const age: CaseRunner = {
  inputs: ['nanoseconds'],
  answer: ({ nanoseconds }) => ({
    human: humanDuration(BigInt(nanoseconds)),
    short: shortHumanDuration(BigInt(nanoseconds)),
  }),
};

/** The total of the percentages of the suite. */
const TOTAL = 15;

const intOrString: CaseRunner = {
  inputs: ['json'],
  answer: ({ json }) =>
    orError(() => {
      const value = fromJsonIntOrString(
        JSON.parse(json) as JsonValue,
        /^[-0-9]/.test(json) ? json : undefined,
      );
      return {
        type: typeof value === 'number' ? 0 : 1,
        intValue: integerOf(value),
        print: JSON.stringify(value),
        ...orError(() => ({ scaledUp: scaledInteger(value, TOTAL, 'up') }), 'scaledUpError'),
        ...orError(() => ({ scaledDown: scaledInteger(value, TOTAL, 'down') }), 'scaledDownError'),
      };
    }),
};

export const valueChecks: Readonly<Record<string, CaseRunner>> = {
  quantity,
  'quantity-random': quantity,
  'quantity-arith': arithmetic,
  time,
  duration,
  'duration-random': duration,
  'human-duration': age,
  'human-duration-random': age,
  'int-or-string': intOrString,
};
