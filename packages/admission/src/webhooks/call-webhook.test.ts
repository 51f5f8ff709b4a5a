import type { Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { callWebhook } from './call-webhook.ts';
import type { WebhookClientConfig } from './client-config.ts';

/** The URL at which a webhook is called, which refuses: it is that of the message. */
async function calledAt(config: WebhookClientConfig): Promise<string | undefined> {
  let called: string | undefined;
  const transport: Transport = {
    async request(url) {
      called = url;
      throw new Error('refused');
    },
  };
  const caller = { clock: createSteppedClock(0), transport };
  const call = { timeoutSeconds: 5, maximumBytes: 1000, headers: {} };
  const message = await callWebhook(caller, config, {}, call).catch((error: Error) => error.message);
  expect(message).toBe(`Post "${called}": refused`);
  return called;
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
