import { runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { clientConfigErrorsSteps } from './client-config.ts';

const messagesOf = (url: string): readonly string[] =>
  runAtOnce(clientConfigErrorsSteps({ url }, 'clientConfig')).map(
    ({ field, message }) => `${field}: ${message}`,
  );

describe('the path of a service', () => {
  const stepsOf = (path: string) =>
    clientConfigErrorsSteps({ service: { name: 'a', namespace: 'b', path } }, 'clientConfig');

  it('has an error of each segment', () => {
    const messages = runAtOnce(stepsOf('/B//c/')).map(({ message }) =>
      message.slice('Invalid value: "/B//c/": '.length),
    );
    expect(messages).toEqual([
      expect.stringMatching(/^segment\[0\]: a lowercase/),
      'segment[1] may not be empty',
    ]);
    expect(runAtOnce(stepsOf('a/'))).toHaveLength(2);
    // of the first character one byte is cut off
    expect(runAtOnce(stepsOf('é')).map(({ message }) => message)).toEqual([
      expect.stringContaining("must start with a '/'"),
      expect.stringContaining('segment[0]: a lowercase'),
    ]);
  });

  it('of a hundred thousand segments is validated with pauses', () => {
    expect([...stepsOf('/a'.repeat(100_000))].length).toBeGreaterThan(90);
    expect(runAtOnce(stepsOf('/a'.repeat(100_000)))).toEqual([]);
    expect(runAtOnce(stepsOf('/'.repeat(3_000_000)))).toHaveLength(101);
  });
});

describe('the URL of a webhook', () => {
  it('is reported once if it cannot be read', () => {
    for (const [url, why] of [
      ['2024-01-02T03:04:05Z', 'first path segment in URL cannot contain colon'],
      [':a', 'missing protocol scheme'],
      ['https://[::1', "missing ']' in host"],
    ])
      expect(messagesOf(url as string)).toEqual([
        `clientConfig.url: Required value: url must be a valid URL: parse "${url}": ${why}; desired format: https://host[/path]`,
      ]);
  });

  it('is reported for each part that is not allowed', () => {
    expect(messagesOf('https://example.com/hook')).toEqual([]);
    expect(messagesOf('a')).toEqual([
      'clientConfig.url: Invalid value: "": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
      'clientConfig.url: Invalid value: "": host must be specified; desired format: https://host[/path]',
    ]);
  });
});
