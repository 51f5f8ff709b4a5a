import type { StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { requireLogOptions } from './log-options.ts';

function refusal(query: string): string {
  const parameters = new URLSearchParams(query);
  try {
    requireLogOptions({ all: (name) => parameters.getAll(name) }, 'p');
    return '';
  } catch (error) {
    const { code, message } = error as StatusError;
    return `${code} ${message}`;
  }
}

describe('options of logs', () => {
  it.each([
    '',
    'tailLines=0',
    'limitBytes=1&sinceSeconds=1',
    'sinceTime=2020-01-01T00:00:00Z',
    'sinceTime=',
    'follow=x',
  ])('may be %j', (query) => expect(refusal(query)).toBe(''));

  it.each([
    ['tailLines=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['tailLines=', 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      'sinceTime=x&tailLines=y',
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
  ])('cannot be read in %j', (query, why) => expect(refusal(query)).toBe(`400 ${why}`));

  it.each([
    ['tailLines=-1', 'tailLines: Invalid value: -1: must be greater than or equal to 0'],
    [
      'tailLines=-9223372036854775807',
      'tailLines: Invalid value: -9223372036854775807: must be greater than or equal to 0',
    ],
    ['sinceSeconds=0', 'sinceSeconds: Invalid value: 0: must be greater than 0'],
    [
      'sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z',
      '[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified',
    ],
    ['stream=Stdout', 'stream: Forbidden: may not be specified'],
    [
      'sinceSeconds=-2&limitBytes=0&tailLines=-1',
      '[tailLines: Invalid value: -1: must be greater than or equal to 0, limitBytes: Invalid value: 0: must be greater than 0, sinceSeconds: Invalid value: -2: must be greater than 0]',
    ],
  ])('are invalid in %j', (query, why) =>
    expect(refusal(query)).toBe(`422 PodLogOptions "p" is invalid: ${why}`),
  );
});
