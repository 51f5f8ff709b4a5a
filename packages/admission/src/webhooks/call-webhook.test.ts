import type { Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { callWebhook } from './call-webhook.ts';
import type { WebhookClientConfig } from './client-config.ts';

/** The URL that a webhook is called at. */
async function calledAt(config: WebhookClientConfig): Promise<string | undefined> {
  const called: string[] = [];
  const transport: Transport = {
    async request(url) {
      called.push(url);
      throw new Error('refused');
    },
  };
  const call = { timeoutSeconds: 5, maximumBytes: 1000, headers: {} };
  const failure = callWebhook({ clock: createSteppedClock(0), transport }, config, {}, call);
  await expect(failure).rejects.toThrow(`Post "${called[0]}": refused`);
  return called[0];
}

describe('the URL of a webhook', () => {
  it.each([
    ['https://host:8443//failing', 'https://host:8443/failing?timeout=5s'],
    ['https://host:443/a/./b/../c/', 'https://host:443/a/c?timeout=5s'],
    ['https://host/../..', 'https://host/?timeout=5s'],
    ['https://host', 'https://host/?timeout=5s'],
  ])('%s is called at %s', async (url, called) => {
    expect(await calledAt({ url })).toBe(called);
  });

  it.each([
    [undefined, '/'],
    ['/a//b', '/a/b'],
    ['a', '/a'],
  ])('of a service with the path %s has the path %s', async (path, called) => {
    const service = { name: 'hook', namespace: 'n', ...(path !== undefined && { path }) };
    expect(await calledAt({ service })).toBe(`https://hook.n.svc:443${called}?timeout=5s`);
  });
});
