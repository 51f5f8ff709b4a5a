import { type ApiObject, orchVocabulary, type Transport, type TransportRequest } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it, vi } from 'vitest';
import { type Aggregation, createAggregation } from './aggregation.ts';
import type { ApiService } from './api-services/api-service.ts';
import type { BackendServices } from './backends/backend.ts';

const service = (changes: object = {}, name = 'v1.example.com'): ApiService =>
  ({
    apiVersion: 'apiregistration.orch.io/v1',
    kind: 'APIService',
    metadata: { name },
    spec: {
      ...{ group: 'example.com', version: 'v1', groupPriorityMinimum: 2000, versionPriority: 15 },
      service: { namespace: 'default', name: 'backend', port: 443 },
      ...changes,
    },
  }) as ApiService & ApiObject;

type Answer = number | object | Error;

/** An aggregation over a stored API service, in front of a server whose answers are set by path. */
function front(responses: Record<string, Answer>, services: Partial<BackendServices> = {}) {
  const asked: { path: string; request: TransportRequest }[] = [];
  const clock = createSteppedClock();
  const transport: Transport = {
    async request(url, request) {
      const path = new URL(url).pathname;
      asked.push({ path, request });
      const response = responses[path] ?? 404;
      if (response instanceof Error) throw response;
      const body = new TextEncoder().encode(typeof response === 'number' ? '' : JSON.stringify(response));
      return {
        status: typeof response === 'number' ? response : 200,
        headers: {},
        body: async () => body,
        async *stream() {
          yield body;
        },
      };
    },
    forward: async () => ({ status: 200, headers: [], async *stream() {} }),
  };
  const stored = new Map<string, ApiService>();
  const errors: string[] = [];
  const aggregation: Aggregation = createAggregation({
    ambient: { clock, random: { bytes: (into) => into }, vocabulary: orchVocabulary },
    transport,
    services: { origin: () => 'https://backend:443', ...services },
    async updateStatus(name, change) {
      const next = change(stored.get(name) as ApiService);
      if (next) keep(next);
    },
    onError: (error) => errors.push((error as Error).message),
  });
  const keep = (object: ApiService): void => {
    stored.set(object.metadata.name ?? '', object);
    aggregation.set(object);
  };
  const condition = (name = 'v1.example.com') => stored.get(name)?.status?.conditions?.[0];
  return { aggregation, answers: responses, asked, clock, condition, errors, keep };
}

const RESOURCES = {
  kind: 'APIResourceList',
  resources: [{ name: 'things', namespaced: true, kind: 'Thing', verbs: ['get'] }],
};
const working = (): Record<string, Answer> => ({ '/apis/example.com/v1': RESOURCES });

describe('the availability of an API service', () => {
  it('is asked with the identity of the aggregator and without trust, and written as a condition', async () => {
    const { aggregation, asked, condition, keep } = front(working());
    keep(service({ caBundle: 'broken' }));
    aggregation.start();
    await vi.waitFor(
      () =>
        expect(condition()).toMatchObject({ status: 'True', reason: 'Passed', message: 'all checks passed' }),
      { timeout: 60_000 },
    );
    expect(asked[0]?.request).toMatchObject({
      headers: { 'x-remote-user': ['system:orch-aggregator'], 'x-remote-group': ['system:masters'] },
      tls: { insecure: true, serverName: 'backend.default.svc' },
    });
  });

  it.each([
    [500, 'bad status from https://backend:443/apis/example.com/v1: 500'],
    [302, 'bad status from https://backend:443/apis/example.com/v1: 302'],
    [new Error('refused'), 'Get "https://backend:443/apis/example.com/v1": refused'],
  ])('is false where %s is answered', async (result, why) => {
    const { aggregation, condition, keep } = front({ '/apis/example.com/v1': result });
    keep(service());
    aggregation.start();
    const message = `failing or missing response from https://backend:443/apis/example.com/v1: ${why}`;
    await vi.waitFor(
      () => expect(condition()).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck', message }),
      { timeout: 60_000 },
    );
  });

  it('is false where nothing is known of the service', async () => {
    const fault = { reason: 'ServiceNotFound', message: 'service/backend in "default" is not present' };
    const { aggregation, asked, condition, keep } = front(working(), { faultOf: () => fault });
    keep(service());
    aggregation.start();
    await vi.waitFor(() => expect(condition()).toMatchObject({ status: 'False', ...fault }), {
      timeout: 60_000,
    });
    expect(asked).toEqual([]);
  });

  it('is written again where somebody else has written it, not more often than every five seconds', async () => {
    const { aggregation, asked, clock, condition, keep } = front(working());
    keep(service());
    aggregation.start();
    const seen = (status: string): Promise<void> =>
      vi.waitFor(() => expect(condition()?.status).toBe(status), { timeout: 60_000 });
    await seen('True');
    const contradict = (): void =>
      keep({
        ...service(),
        status: { conditions: [{ type: 'Available', status: 'False', reason: 'Other' }] },
      });
    clock.advance(5_000);
    contradict();
    await seen('True');
    await vi.waitFor(() => expect(clock.pending()).toEqual([30_000]), { timeout: 60_000 });
    const before = asked.length;
    contradict();
    expect(clock.pending()).toEqual([5_000]);
    expect(asked.length).toBe(before);
    clock.advance(5_000);
    await seen('True');
  });

  it('is checked every 30 seconds, after failures sooner, and when something has changed', async () => {
    const { aggregation, answers, asked, clock, condition, keep } = front(working());
    keep(service());
    aggregation.start();
    const seen = async (status: string, pause: number): Promise<void> => {
      await vi.waitFor(
        () => {
          expect(condition()?.status).toBe(status);
          expect(clock.pending()).toContain(pause);
        },
        { timeout: 60_000 },
      );
    };
    await seen('True', 30_000);
    answers['/apis/example.com/v1'] = 500;
    clock.advance(30_000);
    await seen('False', 5_000);
    clock.advance(5_000);
    await seen('False', 10_000);
    for (const pause of [20_000, 30_000, 30_000]) {
      clock.advance(clock.pending()[0] as number);
      await seen('False', pause);
    }
    answers['/apis/example.com/v1'] = RESOURCES;
    aggregation.serviceChanged('default', 'other');
    aggregation.serviceChanged('default', 'backend');
    await seen('True', 30_000);
    const before = asked.length;
    keep({ ...service(), metadata: { name: 'v1.example.com', labels: { a: 'b' } } });
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(before), { timeout: 60_000 });
    aggregation[Symbol.dispose]();
    await vi.waitFor(() => expect(clock.pending()).toEqual([]), { timeout: 60_000 });
  });

  it('keeps its time while it does not change', async () => {
    const { aggregation, answers, clock, condition, keep } = front({ '/apis/example.com/v1': 500 });
    keep(service());
    aggregation.start();
    await vi.waitFor(() => expect(condition()?.message).toMatch(/500$/), { timeout: 60_000 });
    const since = condition()?.lastTransitionTime;
    answers['/apis/example.com/v1'] = 501;
    clock.advance(5_000);
    await vi.waitFor(() => expect(condition()?.message).toMatch(/501$/), { timeout: 60_000 });
    expect(condition()?.lastTransitionTime).toBe(since);
  });
});

describe('what is served elsewhere', () => {
  it('is what names a service, but for the core group and API services themselves', () => {
    const { aggregation, keep } = front({});
    keep(service({ service: undefined }));
    keep(service({ group: '' }, 'v1.'));
    keep(service({ group: 'apiregistration.orch.io' }, 'v1.apiregistration.orch.io'));
    expect(aggregation.versions()).toEqual([]);
    keep(service());
    expect(aggregation.versions()).toMatchObject([{ group: 'example.com', version: 'v1', isCurrent: false }]);
    expect(aggregation.handlerOf('example.com', 'v1')).toBeDefined();
    for (const [group, version] of [
      ['com', 'v1.example'],
      ['example.com', 'v2'],
      ['other', 'v1'],
    ] as const)
      expect(aggregation.handlerOf(group, version)).toBeUndefined();
    keep(service({ service: undefined }));
    expect(aggregation.versions()).toEqual([]);
  });

  it('is described by the server, and stays described while that is away', async () => {
    const responses = working();
    responses['/openapi/v2'] = { paths: {}, definitions: {} };
    responses['/openapi/v3'] = {
      paths: { 'apis/example.com/v1': { serverRelativeURL: 'https://elsewhere/' }, other: {} },
    };
    const { aggregation, asked, clock, keep } = front(responses);
    keep(service());
    const before = aggregation.generation;
    aggregation.start();
    await vi.waitFor(() => expect(aggregation.published()[0]?.v3?.size).toBe(2), { timeout: 60_000 });
    expect(aggregation.generation).toBeGreaterThan(before);
    expect(aggregation.published()).toEqual([
      {
        v2: { document: { paths: {}, definitions: {} }, path: 'apis/example.com/v1' },
        // an address elsewhere is none
        v3: new Map([
          ['apis/example.com/v1', '/openapi/v3/apis/example.com/v1'],
          ['other', '/openapi/v3/other'],
        ]),
      },
    ]);
    expect(aggregation.versions()).toMatchObject([{ isCurrent: true, resources: [{ resource: 'things' }] }]);
    expect(aggregation.handlerOfDocument('other')).toBeDefined();
    const asking = asked.find(({ path }) => path === '/openapi/v3')?.request;
    expect(asking?.tls).toEqual({ serverName: 'backend.default.svc' });

    const known = aggregation.generation;
    await vi.waitFor(() => expect(clock.pending()).toContain(30_000), { timeout: 60_000 });
    clock.advance(30_000);
    await vi.waitFor(() => expect(clock.pending()).toContain(30_000), { timeout: 60_000 });
    expect(aggregation.generation).toBe(known);

    responses['/apis/example.com/v1'] = 500;
    clock.advance(30_000);
    await vi.waitFor(() => expect(aggregation.versions()[0]?.isCurrent).toBe(false), { timeout: 60_000 });
    expect(aggregation.versions()).toMatchObject([{ resources: [{ resource: 'things' }] }]);
  });

  it('reports once that a server does not describe itself', async () => {
    const { aggregation, clock, condition, errors, keep } = front({
      '/apis/example.com/v1': { kind: 'Other' },
    });
    keep(service());
    aggregation.start();
    for (let i = 0; i < 5; i++) {
      await vi.waitFor(() => expect(condition()?.status).toBe('True'), { timeout: 60_000 });
      await vi.waitFor(() => expect(clock.pending()).toContain(30_000), { timeout: 60_000 });
      clock.advance(30_000);
    }
    expect(errors).toEqual(['https://backend:443 does not describe example.com/v1']);
  });
});

describe('API services of this server itself', () => {
  const local = (changes: object = {}): ApiService => service({ service: undefined, ...changes });
  const settled = (condition: () => object | undefined): Promise<void> =>
    vi.waitFor(
      () =>
        expect(condition()).toMatchObject({
          ...{ status: 'True', reason: 'Local', message: 'Local APIServices are always available' },
        }),
      { timeout: 60_000 },
    );

  it('are available, whatever is written', async () => {
    const { aggregation, asked, condition, keep } = front({});
    keep(local());
    expect(condition()).toBeUndefined();
    aggregation.start();
    await settled(condition);
    keep({ ...local(), status: { conditions: [{ type: 'Available', status: 'False', reason: 'Other' }] } });
    await settled(condition);
    expect(asked).toEqual([]);
  });

  it('are available once they were those of another server', async () => {
    const { aggregation, condition, keep } = front({});
    keep(service());
    aggregation.start();
    await vi.waitFor(() => expect(condition()?.status).toBe('False'), { timeout: 60_000 });
    keep(local());
    await settled(condition);
    expect(aggregation.versions()).toEqual([]);
  });

  it('are registered with their priorities', () => {
    const { aggregation, keep } = front({});
    const { own } = aggregation;
    keep(local());
    const registered = { group: 'example.com', version: 'v1', groupPriority: 2000, versionPriority: 15 };
    expect([...(own?.versions() ?? [])]).toEqual([registered]);
    const before = own?.generation ?? 0;
    keep({ ...local(), status: {} });
    expect(own?.generation).toBe(before);
    keep(local({ versionPriority: 7 }));
    expect(own?.generation).toBe(before + 1);
    expect([...(own?.versions() ?? [])]).toEqual([{ ...registered, versionPriority: 7 }]);
    keep(service());
    expect([...(own?.versions() ?? [])]).toEqual([]);
    keep(local());
    aggregation.delete(local());
    expect([...(own?.versions() ?? [])]).toEqual([]);
  });

  it('report why their condition was not written, unless they are gone', async () => {
    const errors: string[] = [];
    const aggregation = createAggregation({
      ambient: { clock: createSteppedClock(), random: { bytes: (into) => into }, vocabulary: orchVocabulary },
      services: { origin: () => 'https://backend:443' },
      updateStatus: () => Promise.reject(new Error('full')),
      onError: (error) => errors.push((error as Error).message),
    });
    aggregation.start();
    aggregation.set(local());
    await vi.waitFor(() => expect(errors).toEqual(['full']), { timeout: 60_000 });
    aggregation.set(local());
    aggregation.delete(local());
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(errors).toEqual(['full']);
  });
});
