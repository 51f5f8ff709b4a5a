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

describe('a review of many values', () => {
  it('is encoded with pauses, and its response decoded so', async () => {
    const items = Array.from({ length: 50_000 }, (_, i) => ({ a: `item ${i}`, b: i }));
    const sent: Uint8Array[] = [];
    const transport: Transport = {
      async request(_, { body }) {
        const bytes = body as Uint8Array;
        sent.push(bytes);
        const stream = async function* () {
          yield bytes;
        };
        return { status: 200, headers: {}, stream, body: async () => bytes };
      },
    };
    let pauses = 0;
    let now = 0;
    // each look at the clock takes a millisecond
    const clock = { ...createSteppedClock(0), monotonic: () => now++ };
    const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
    const call = { timeoutSeconds: 1e6, maximumBytes: 1e8, limits: { maximumValues: 1e6 }, headers: {} };
    const caller = { clock, transport, turns } as never;
    const result = await callWebhook(caller, { url: 'https://host' }, { items }, call);
    expect(result).toEqual({ items });
    expect(sent).toHaveLength(1);
    // 150,000 values are encoded and decoded, a thousand in a step and ten steps between pauses
    expect(pauses).toBeGreaterThan(10);
  });
});
