import {
  type Ambient,
  callForBytes,
  callRepeatedly,
  groupName,
  runInSlices,
  type Transport,
} from '@ashlar/core';
import type { EncodedEvent } from '../events/encoded-event.ts';
import type { JsonPieces } from '../events/logged-event.ts';
import type { AuditSink } from './audit-sink.ts';
import { concatenateSteps } from './concatenate-steps.ts';

/** Options of `createAuditWebhook`. */
export interface AuditWebhookOptions {
  readonly ambient: Ambient;
  readonly transport: Transport;
  /** Where lists of events are posted to. */
  readonly url: string;
  /** Pause before the first retry, in milliseconds; default 10,000. */
  readonly initialBackoffMilliseconds?: number;
}

const INITIAL_BACKOFF_MILLISECONDS = 10_000;

/**
 * Returns a sink that posts lists of events to a URL. What is not answered with 2xx is posted again, five times in all, with growing pauses
 * (semantics/requests#audit).
 * @example
 * createAuditWebhook({ ambient, transport, url: 'https://audit.example/events' });
 */
export function createAuditWebhook(options: AuditWebhookOptions): AuditSink {
  const { ambient, transport, initialBackoffMilliseconds = INITIAL_BACKOFF_MILLISECONDS } = options;
  const url = new URL(options.url);
  url.searchParams.set('timeout', '30s');
  const head = new TextEncoder().encode(
    `{"kind":"EventList","apiVersion":"${groupName(ambient.vocabulary, 'audit.')}/v1","metadata":{},"items":[`,
  );
  const headers = { 'content-type': 'application/json', accept: 'application/json, */*' };
  const sends: Set<AbortController> = new Set();
  return {
    name: 'webhook',
    async send(events) {
      const stop = new AbortController();
      const { signal } = stop;
      sends.add(stop);
      try {
        const body = await runInSlices(concatenateSteps(listOf(head, events)), ambient);
        const request = { method: 'POST', headers, body, signal };
        const post = (): Promise<unknown> =>
          callForBytes({ transport, clock: ambient.clock }, url.href, request);
        await callRepeatedly(ambient, post, signal, initialBackoffMilliseconds, () => true);
      } finally {
        sends.delete(stop);
      }
    },
    giveUp(reason) {
      for (const stop of sends) stop.abort(reason);
    },
  };
}

function listOf(head: Uint8Array, events: readonly EncodedEvent[]): JsonPieces {
  return [head, ...events.flatMap(({ json }, index) => (index === 0 ? json : [COMMA, ...json])), END];
}

const COMMA: Uint8Array = new TextEncoder().encode(',');
const END: Uint8Array = new TextEncoder().encode(']}\n');
