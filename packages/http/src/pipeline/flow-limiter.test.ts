import { Metrics, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { FlowControl, type FlowControlOptions, type LimitedPriority } from '@ashlar/flow-control';
import type { ResourceDefinition, ResourceStorage } from '@ashlar/registry';
import { expect, it } from 'vitest';
import type { AggregatedApis } from '../aggregated/aggregated-apis.ts';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { namespaces, notes, widgets } from '../testing/test-resources.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';
const HEADERS = { 'x-orch-pf-flowschema-uid': 'of-schema', 'x-orch-pf-prioritylevel-uid': 'of-level' };

/** An object whose get ends when `finish` is called. */
function heldNotes(): { readonly definition: ResourceDefinition; finish(): void } {
  let finish: () => void = () => {};
  const storage: ResourceStorage = {
    get: () =>
      new Promise((resolve) => {
        finish = () => resolve({ metadata: { name: 'a' } } as never);
      }),
    list: () => ({ items: [], resourceVersion: '1' }),
  };
  return { definition: { ...notes, storage } as ResourceDefinition, finish: () => finish() };
}

/** An API of one seat for all requests. */
function limitedApi(limited: LimitedPriority): {
  readonly api: TestApi;
  readonly metrics: Metrics;
  readonly held: ReturnType<typeof heldNotes>;
} {
  const all = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true };
  const mandatory: FlowControlOptions['mandatory'] = {
    schemas: [
      {
        metadata: { name: 'catch-all', uid: 'of-schema' },
        spec: {
          priorityLevelConfiguration: { name: 'catch-all' },
          rules: [{ subjects: [{ kind: 'Group', group: { name: '*' } }], resourceRules: [all] }],
        },
      },
    ],
    levels: [{ metadata: { name: 'catch-all', uid: 'of-level' }, spec: { type: 'Limited', limited } }],
  };
  const clock = createSteppedClock();
  const flowControl = new FlowControl({ clock, vocabulary: orchVocabulary, seats: 1, mandatory });
  const held = heldNotes();
  const metrics = new Metrics();
  return {
    metrics,
    api: createTestApi({
      aggregated: silentBackend,
      flowControl,
      metrics,
      definitions: [namespaces, widgets, held.definition],
    }),
    held,
  };
}

/** A server behind this one that does not answer. */
const silentBackend: AggregatedApis = {
  generation: 0,
  handlerOf: (group) => (group === 'silent.example.com' ? () => new Promise(() => {}) : undefined),
  handlerOfDocument: () => undefined,
  versions: () => [],
  published: () => [],
};

const rejecting: LimitedPriority = { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } };

it('names the class of a request in the header of its response, whether it is admitted or not', async () => {
  const { api, held } = limitedApi(rejecting);
  const first = api.ask('GET', `${NOTES}/a`);
  const second = await api.ask('GET', NOTES);
  expect([second.status, second.text]).toEqual([429, 'Too many requests, please try again later.\n']);
  expect(second.headers).toMatchObject({
    ...HEADERS,
    'retry-after': '1',
    'content-type': 'text/plain; charset=utf-8',
  });
  held.finish();
  expect((await first).headers).toMatchObject(HEADERS);
  expect((await api.ask('GET', NOTES)).status).toBe(200);
});

it('gives a watch its seat until it has begun', async () => {
  const { api } = limitedApi(rejecting);
  const watching = await api.handler(toRequest('GET', '/apis/example.com/v1/widgets?watch=1'));
  expect([watching.status, watching.headers]).toEqual([200, expect.objectContaining(HEADERS)]);
  expect((await api.ask('GET', NOTES)).status).toBe(200);
});

it('gives streams no seat and no class', async () => {
  const { api, held } = limitedApi(rejecting);
  const first = api.ask('GET', `${NOTES}/a`);
  const stream = await api.ask('GET', `${NOTES}/a/log`);
  expect([stream.status, Object.keys(stream.headers).filter((name) => name.includes('-pf-'))]).toEqual([
    404,
    [],
  ]);
  held.finish();
  await first;
});

it('keeps no seat for requests that another server handles', async () => {
  const { api } = limitedApi(rejecting);
  void api.ask('GET', '/apis/silent.example.com/v1/things');
  expect((await api.ask('GET', NOTES)).status).toBe(200);
});

it('frees the seat of a request whose handling fails', async () => {
  const { api } = limitedApi(rejecting);
  for (let i = 0; i < 3; i++) expect((await api.ask('POST', NOTES, { metadata: {} })).status).not.toBe(429);
});

it('lets a request wait for its seat', async () => {
  const queuing = { queues: 1, handSize: 1, queueLengthLimit: 1 };
  const { api, held, metrics } = limitedApi({
    nominalConcurrencyShares: 1,
    limitResponse: { type: 'Queue', queuing },
  });
  const waiting = (): string | undefined =>
    /inqueue_requests\{request_kind="readOnly"\} (\d)/.exec(metrics.text())?.[1];
  const first = api.ask('GET', `${NOTES}/a`);
  const second = api.ask('GET', NOTES);
  expect((await api.ask('GET', NOTES)).status).toBe(429);
  expect(waiting()).toBe('1');
  held.finish();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
  expect(waiting()).toBe('0');
});
