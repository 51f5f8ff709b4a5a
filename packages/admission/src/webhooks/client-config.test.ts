import { describe, expect, it } from 'vitest';
import { clientConfigErrors } from './client-config.ts';

const messagesOf = (url: string): readonly string[] =>
  clientConfigErrors({ url }, 'clientConfig').map(({ field, message }) => `${field}: ${message}`);

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
