import { type AuditMode, Auditor, type EncodedEvent, type LoggedEvent } from '@ashlar/audit';
import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { parseRequestInfo } from '../request/request-info.ts';
import { createTestApi, toRequest } from '../testing/test-api.fixture.ts';
import { RequestAudit } from './request-audit.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const ALICE = { name: 'alice', groups: [] };
const NEVER = new Promise<never>(() => {});

/** What records nothing but the events themselves. */
function auditorOf(
  clock = createSteppedClock(),
  send?: () => Promise<void>,
  mode: AuditMode = 'blocking-strict',
) {
  const events: LoggedEvent[] = [];
  const store = (sent: readonly EncodedEvent[]): Promise<void> | undefined => {
    events.push(...sent.map(({ event }) => event));
    return send?.();
  };
  const auditor = new Auditor({
    policy: { rules: [{ level: 'RequestResponse' }] },
    ...{ ambient: { clock, vocabulary: orchVocabulary }, onError: () => {} },
    backends: [{ sink: { name: 'test', send: store as never }, mode }],
  });
  return { auditor, events };
}

function auditOf(annotations: () => ReadonlyMap<string, string>) {
  const ambient = { clock: createSteppedClock(), random: undefined as never, vocabulary: orchVocabulary };
  const { auditor, events } = auditorOf(ambient.clock);
  const errors: unknown[] = [];
  const of = {
    ...{
      request: toRequest('POST', NOTES),
      info: parseRequestInfo('POST', NOTES),
      auditId: 'id',
      started: 0,
    },
    annotate: () => {},
    waits: new Map(),
    get annotations() {
      return annotations();
    },
  };
  const onError = (error: unknown): void => void errors.push(error);
  return { audit: new RequestAudit(of, { auditor, ambient, onError }), events, errors };
}

describe('an event', () => {
  it('is recorded without objects if they cannot be made', async () => {
    const { audit, events, errors } = auditOf(() => new Map());
    audit.begin(ALICE);
    audit.contents?.submitObject({ spec: { number: Number.NaN } } as unknown as ApiObject);
    await audit.complete({ status: 201, headers: {} });
    expect(events.map(({ stage, requestObject }) => [stage, requestObject])).toEqual([
      ['RequestReceived', undefined],
      ['ResponseComplete', undefined],
    ]);
    expect(errors).toEqual([expect.any(TypeError)]);
  });

  it('that cannot be made is not taken for one that is stored', () => {
    const { audit, errors } = auditOf(() => {
      throw new Error('a bug');
    });
    expect(() => audit.begin(ALICE)).toThrow('failed to store audit event');
    expect(errors).toHaveLength(1);
  });
});

describe('the deadline of a request', () => {
  const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

  it.each([
    ['first', []],
    ['last', ['RequestReceived'] as const],
  ])('ends waiting for its %s event', async (_, omitStages) => {
    const { clock } = createTestApi();
    const { auditor } = auditorOf(clock, () => NEVER);
    const decide = auditor.decide.bind(auditor);
    auditor.decide = (attributes) => ({ ...decide(attributes), omitStages: new Set(omitStages) });
    const api = createTestApi({ auditor });
    const asked = api.ask('GET', `${NOTES}?timeout=1s`);
    await settled();
    api.clock.advance(1000);
    const { status, text, headers } = await asked;
    expect([status, headers['audit-id']]).toEqual([504, expect.any(String)]);
    expect(text).toContain('request did not complete within the allotted timeout');
  });

  it('leaves no event of a caller who is known only then', async () => {
    const { auditor, events } = auditorOf();
    let known = (): void => {};
    const authenticate = () =>
      new Promise<{ outcome: 'authenticated'; user: typeof ALICE }>((resolve) => {
        known = () => resolve({ outcome: 'authenticated', user: ALICE });
      });
    const api = createTestApi({ auditor, authenticator: { authenticate } });
    const asked = api.ask('GET', `${NOTES}?timeout=1s`);
    await settled();
    api.clock.advance(1000);
    expect((await asked).status).toBe(504);
    known();
    await settled();
    expect(events.map(({ stage }) => stage)).toEqual(['ResponseStarted']);
  });
});
