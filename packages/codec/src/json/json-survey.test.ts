import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeUtf8 } from '../serializers/utf8.ts';
import { type JsonSurvey, surveyJson } from './json-survey.ts';

const part = fc.constantFrom(
  ...[
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    ' ',
    '\n',
    'true',
    'null',
    '"',
    '""',
    '"a"',
    '"\\""',
    '"\\\\"',
    '"\\ud800"',
    '"\\u0041"',
  ],
  ...[
    '1',
    '-0',
    '-',
    '1.5',
    '1e9',
    '+',
    '.',
    '123456789',
    '9007199254740993',
    `"${'x'.repeat(40)}"`,
    `"${'x'.repeat(40)}\\`,
  ],
);
const jsonText = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));

function survey(text: string, strideBytes?: number): JsonSurvey {
  const { members, values, depth, native, decimals } = runAtOnce(
    surveyJson(encodeUtf8(text), { maximumValues: Number.POSITIVE_INFINITY }, strideBytes),
  );
  return { members, values, depth, native, decimals };
}

describe('surveyJson', () => {
  it('finds in pieces what it finds in one', () => {
    fc.assert(
      fc.property(jsonText, fc.integer({ min: 1, max: 9 }), (text, stride) => {
        expect(survey(text, stride)).toEqual(survey(text));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['a number', '1'.repeat(1000)],
    ['a text of escapes', `"${'\\n'.repeat(500)}"`],
  ])('pauses inside of %s', (_, text) => {
    const steps = surveyJson(encodeUtf8(text), { maximumValues: 10 }, 50);
    let pauses = 0;
    for (; !steps.next().done; pauses++);
    expect(pauses).toBeGreaterThan(10);
  });
});
