import { kubernetesVocabulary, orchVocabulary, type Transport } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { encodeEvent } from '../events/encoded-event.ts';
import { READ } from '../events/event.fixture.ts';
import { createAuditLog } from './audit-log.ts';
import { createAuditWebhook } from './audit-webhook.ts';

const random = { bytes: (into: Uint8Array) => into.fill(0) };
const event = encodeEvent(READ);

describe.each([kubernetesVocabulary, orchVocabulary])('in $name', (vocabulary) => {
  const apiVersion = `audit.${vocabulary.groupDomain}/v1`;

  it('a log has a line for each event', async () => {
    let text = '';
    const write = async (line: Uint8Array): Promise<void> => {
      text += new TextDecoder().decode(line);
    };
    await createAuditLog({ vocabulary, write }).send([event, event]);
    const lines = text.split('\n');
    expect(lines).toHaveLength(3);
    expect(lines.slice(0, 2).map((line) => JSON.parse(line))).toEqual(
      Array(2).fill({ kind: 'Event', apiVersion, ...READ }),
    );
  });

  it('a webhook gets lists, five times if it refuses them', async () => {
    const clock = createSteppedClock();
    const posted: { readonly url: string; readonly body: unknown }[] = [];
    const transport: Transport = {
      async request(url, { body }) {
        posted.push({ url, body: JSON.parse(new TextDecoder().decode(body)) });
        async function* nothing(): AsyncGenerator<Uint8Array> {}
        return { status: 400, headers: {}, body: async () => new Uint8Array(), stream: nothing };
      },
    };
    const ambient = { clock, random, vocabulary };
    const webhook = createAuditWebhook({ ambient, transport, url: 'https://a.example/events?x=1' });
    const sent = Promise.resolve(webhook.send([event, event])).then(
      () => 'sent',
      (error: Error) => error.message,
    );
    const pauses: (number | undefined)[] = [];
    while (posted.length < 5) {
      await new Promise((resolve) => setImmediate(resolve));
      const [pause] = clock.pending();
      if (pause === undefined) continue;
      pauses.push(pause);
      clock.advance(pause);
    }
    expect(await sent).toBe('the response has the status 400');
    expect(pauses).toEqual([10_000, 15_000, 22_500, 33_750]);
    const body = { kind: 'EventList', apiVersion, metadata: {}, items: [READ, READ] };
    expect(posted).toEqual(Array(5).fill({ url: 'https://a.example/events?x=1&timeout=30s', body }));
  });
});
