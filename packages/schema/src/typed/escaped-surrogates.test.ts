import { runAtOnce } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutLoneSurrogatesSteps } from './escaped-surrogates.ts';

const withoutLoneSurrogates = (json: string): string => runAtOnce(withoutLoneSurrogatesSteps(json));

describe('withoutLoneSurrogates', () => {
  it.each([
    ['"\\ud800"', '"\\ufffd"'],
    ['"\\uDC00\\ud800x"', '"\\ufffd\\ufffdx"'],
    ['"\\ud83d\\ude00"', '"\\ud83d\\ude00"'],
    ['"\\ud83d\\ud83d\\ude00"', '"\\ufffd\\ud83d\\ude00"'],
    ['"\\\\ud800"', '"\\\\ud800"'],
    ['"\\\\\\ud800"', '"\\\\\\ufffd"'],
    ['"\\ud7ff\\ue000"', '"\\ud7ff\\ue000"'],
  ])('%s is %s', (text, expected) => {
    expect(withoutLoneSurrogates(text)).toBe(expected);
  });

  it('pauses in long texts', () => {
    const steps = withoutLoneSurrogatesSteps(JSON.stringify('\ud800'.repeat(10_000)));
    expect(steps.next().done).toBe(false);
  });

  it('leaves exactly what is well-formed', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('\ud83d', '\ude00', '\\', 'u', 'd800', '\n', 'a')), (parts) => {
        const value = parts.join('');
        const escaped = JSON.stringify(value).replace(
          /[\ud800-\udfff]/g,
          (unit) => `\\u${unit.charCodeAt(0).toString(16)}`,
        );
        expect(JSON.parse(withoutLoneSurrogates(escaped))).toBe(
          new TextDecoder().decode(new TextEncoder().encode(value)),
        );
      }),
    );
  });
});
