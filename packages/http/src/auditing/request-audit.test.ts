import { Auditor, type AuditPolicy, type EncodedEvent, type LoggedEvent } from '@ashlar/audit';
import {
  type ByteSink,
  concatenateBytes,
  kubernetesVocabulary,
  orchVocabulary,
  type Vocabulary,
} from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createTestApi, type TestApiOptions, toRequest } from '../testing/test-api.fixture.ts';
import { notes } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const EVERYTHING: AuditPolicy = { rules: [{ level: 'RequestResponse' }] };

/** An event with its objects decoded. */
type SeenEvent = Omit<LoggedEvent, 'requestObject' | 'responseObject'> & {
  readonly requestObject?: unknown;
  readonly responseObject?: unknown;
};

const seen = ({ json }: EncodedEvent): SeenEvent =>
  JSON.parse(new TextDecoder().decode(concatenateBytes(json)));

interface Setup extends Partial<TestApiOptions> {
  readonly policy?: AuditPolicy;
  readonly vocabulary?: Vocabulary;
  readonly isBroken?: boolean;
}

function auditedApi({ policy = EVERYTHING, vocabulary = orchVocabulary, isBroken, ...options }: Setup = {}) {
  const events: SeenEvent[] = [];
  const send = (sent: readonly EncodedEvent[]): void => {
    if (isBroken) throw new Error('no space');
    events.push(...sent.map(seen));
  };
  const clock = createTestApi().clock;
  const auditor = new Auditor({
    ...{ policy, ambient: { clock, vocabulary }, onError: () => {} },
    backends: [{ sink: { name: 'test', send }, mode: 'blocking-strict' }],
  });
  const api = createTestApi({ vocabulary, auditor, ...options });
  return { api, events };
}

const stages = (events: readonly SeenEvent[]): readonly string[] => events.map(({ stage }) => stage);

describe.each([kubernetesVocabulary, orchVocabulary])('a request, in $name', (vocabulary) => {
  const authorization = `authorization.${vocabulary.groupDomain}`;

  it('has an event when it is received and one when it is answered', async () => {
    const authorizer = { authorize: () => ({ decision: 'allow', reason: 'why not' }) as const };
    const { api, events } = auditedApi({ vocabulary, authorizer });
    const headers = {
      'audit-id': 'mine',
      'user-agent': 'x'.repeat(1025),
      'content-type': 'application/json',
    };
    const body = JSON.stringify({ metadata: { name: 'a' }, spec: { text: 'x' } });
    await api.ask('POST', NOTES, { headers, body });
    const ordinary = {
      ...{ level: 'RequestResponse', auditID: 'mine', requestURI: NOTES, verb: 'create' },
      ...{ user: { username: 'alice' }, userAgent: `${'x'.repeat(1024)}...TRUNCATED` },
      requestReceivedTimestamp: '2024-01-02T03:04:05.000000Z',
      stageTimestamp: '2024-01-02T03:04:05.000000Z',
    };
    const objectRef = { resource: 'notes', namespace: 'x', apiVersion: 'v1' };
    expect(events).toEqual([
      { ...ordinary, stage: 'RequestReceived', objectRef },
      {
        ...{ ...ordinary, stage: 'ResponseComplete', objectRef: { ...objectRef, name: 'a' } },
        responseStatus: { metadata: {}, code: 201 },
        requestObject: expect.objectContaining({ metadata: { creationTimestamp: null, name: 'a' } }),
        responseObject: expect.objectContaining({ kind: 'Note' }),
        annotations: { [`${authorization}/decision`]: 'allow', [`${authorization}/reason`]: 'why not' },
      },
    ]);
  });

  it('shows no more than its level', async () => {
    const levels = ['None', 'Metadata', 'Request', 'RequestResponse'] as const;
    const shown: unknown[] = [];
    for (const level of levels) {
      const { api, events } = auditedApi({ vocabulary, policy: { rules: [{ level }] } });
      await api.ask('POST', NOTES, { metadata: { name: 'a' }, spec: { text: 'x' } });
      shown.push(events.map((event) => ['requestObject', 'responseObject'].filter((name) => name in event)));
    }
    expect(shown).toEqual([[], [[], []], [[], ['requestObject']], [[], ['requestObject', 'responseObject']]]);
  });
});

describe('the events of a request', () => {
  it('show responses in JSON, whatever the client asked for', async () => {
    const { api, events } = auditedApi();
    for (const accept of [
      'application/yaml',
      'application/json;as=Table;v=v1;g=meta.orch.io',
      'application/json',
    ])
      await api.ask('GET', NOTES, { headers: { accept } });
    const kinds = events.flatMap(({ responseObject }) => (responseObject as { kind?: string })?.kind ?? []);
    expect(kinds).toEqual(['NoteList', 'Table', 'NoteList']);
  });

  it('show patches as they were sent, also YAML, and nothing of what cannot be read', async () => {
    const { api, events } = auditedApi();
    const patch = async (type: string, body: string): Promise<unknown> => {
      await api.ask('PATCH', `${NOTES}/a?fieldManager=m`, { headers: { 'content-type': type }, body });
      return events.at(-1)?.requestObject;
    };
    expect(await patch('application/merge-patch+json', ' {"spec":\n null}')).toEqual({ spec: null });
    expect(await patch('application/apply-patch+yaml', 'spec:\n  text: a\n')).toEqual({
      spec: { text: 'a' },
    });
    expect(await patch('application/merge-patch+json', '{')).toBeUndefined();
  });

  it('name who is impersonated, and follow the policy of the caller', async () => {
    const { api, events } = auditedApi({ policy: { rules: [{ level: 'Metadata', users: ['alice'] }] } });
    await api.ask('GET', NOTES, { headers: { 'impersonate-user': 'bob' } });
    expect(events.map(({ user, impersonatedUser }) => [user, impersonatedUser])).toEqual([
      [{ username: 'alice' }, undefined],
      [{ username: 'alice' }, { username: 'bob', groups: ['system:authenticated'] }],
    ]);
  });

  it('are one if nobody is authenticated, and for a timeout that cannot be read', async () => {
    const authenticator = { authenticate: () => ({ outcome: 'none' }) as const };
    const { api, events } = auditedApi({ authenticator });
    await api.ask('GET', NOTES);
    await api.ask('GET', `${NOTES}?timeout=soon`);
    expect(events.map(({ stage, user, responseStatus }) => [stage, user, responseStatus?.code])).toEqual([
      ['ResponseStarted', {}, 401],
      ['ResponseStarted', {}, 400],
    ]);
  });

  it('say that the program has failed', async () => {
    const authorizer = { authorize: () => ({ decision: 'allow' }) as const };
    const health = {
      handle: () => {
        throw new RangeError('a bug');
      },
    };
    const { api, events } = auditedApi({ authorizer, health: health as never });
    expect((await api.ask('GET', '/healthz')).status).toBe(500);
    expect(stages(events)).toEqual(['RequestReceived', 'Panic']);
    expect(events[1]?.responseStatus).toMatchObject({ code: 500, message: "APIServer panic'd: a bug" });
  });

  it('show what the caller sees of an unexpected error', async () => {
    const storage = {
      get: () => {
        throw new Error('a secret');
      },
    };
    const { api, events } = auditedApi({ definitions: [{ ...notes, storage: storage as never }] });
    const { json } = await api.ask('GET', `${NOTES}/a`);
    expect(json).toMatchObject({ code: 500, reason: 'InternalError' });
    const { responseStatus, responseObject } = events[1] ?? {};
    expect(responseObject).toEqual(json);
    const { kind: _, apiVersion: __, ...status } = json;
    expect(responseStatus).toEqual(status);
  });

  it('are three for a watch, the last when it has ended', async () => {
    const { api, events } = auditedApi();
    const { body } = await api.handler(toRequest('GET', `${NOTES}?watch=1`));
    const closing: (() => void)[] = [];
    const sink = { write: () => true, buffered: 0, onDrain: () => {}, end: () => {}, destroy: () => {} };
    (body as (sink: ByteSink) => void)({ ...sink, onClose: (call) => void closing.push(call) });
    expect(stages(events)).toEqual(['RequestReceived', 'ResponseStarted']);
    for (const call of closing) call();
    expect(stages(events)).toEqual(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    expect(events[2]).not.toHaveProperty('responseObject');
  });

  it('are complete before a response is sent that is compressed meanwhile', async () => {
    const compress = async function* (): AsyncIterable<Uint8Array> {};
    const { api, events } = auditedApi({ compress });
    const spec = { text: 'x'.repeat(200_000) };
    await api.ask('POST', NOTES, { metadata: { name: 'a', annotations: { a: spec.text } }, spec });
    const { body } = await api.handler(toRequest('GET', NOTES, { headers: { 'accept-encoding': 'gzip' } }));
    expect(body).toBeTypeOf('function');
    expect(stages(events).slice(2)).toEqual(['RequestReceived', 'ResponseComplete']);
  });

  it('are those of a refusal if the first must be stored and cannot be', async () => {
    const { api } = auditedApi({ isBroken: true });
    const { status, text } = await api.ask('GET', `${NOTES}?watch=1&limit=2`);
    const uri = `${NOTES}?watch=1&amp;limit=2`;
    expect([status, text]).toEqual([500, `Internal Server Error: "${uri}": failed to store audit event\n`]);
  });

  it('leave out stages', async () => {
    const { api, events } = auditedApi({
      policy: { rules: [{ level: 'Metadata', omitStages: ['RequestReceived'] }] },
    });
    await api.ask('GET', `${NOTES}/none`);
    expect(stages(events)).toEqual(['ResponseComplete']);
    expect(events[0]?.responseStatus).toMatchObject({ reason: 'NotFound', code: 404, metadata: {} });
  });
});
