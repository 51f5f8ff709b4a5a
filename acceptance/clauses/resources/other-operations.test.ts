import { workloadResources } from '@ashlar/apis/workloads';
import type { Vocabulary } from '@ashlar/core';
import type { ApiServerOptions } from '@ashlar/server';
import { createTestServer } from '@ashlar/testing';
import { expect } from 'vitest';
import {
  type ClauseServer,
  clauseOptions,
  forEachVocabulary,
  prepare,
  toClauseServer,
} from '../clause-server.fixture.ts';

const PODS = '/api/v1/namespaces/a/pods';

/** A server with pods. */
async function serverWithPods(
  vocabulary: Vocabulary,
  more: ApiServerOptions = {},
): Promise<ClauseServer & AsyncDisposable> {
  const resources = workloadResources(vocabulary);
  const api = await createTestServer({ ...clauseOptions(vocabulary), resources, ...more });
  await prepare(api);
  return { ...toClauseServer(api), [Symbol.asyncDispose]: () => api.close() };
}

const pod = (name: string) => ({
  metadata: { name, labels: { app: 'shop' } },
  spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'shop' }] },
});

forEachVocabulary('Other operations', (test) => {
  test('R088: a proxied request is passed to the host', async ({ vocabulary }) => {
    const seen: string[] = [];
    await using server = await serverWithPods(vocabulary, {
      connect: async ({ request, resource, subresource, name, path }) => {
        seen.push(`${request.method} ${resource}/${subresource} ${name} ${path}`);
        return { status: 200, headers: {}, body: new TextEncoder().encode('from the pod') };
      },
    });
    await server.post(PODS, pod('x'));
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) {
      expect(await server.send(method, `${PODS}/x/proxy/a/b`)).toMatchObject({ text: 'from the pod' });
    }
    expect(seen).toEqual(['GET', 'POST', 'PUT', 'DELETE'].map((method) => `${method} pods/proxy x a/b`));
    await using alone = await serverWithPods(vocabulary);
    await alone.post(PODS, pod('x'));
    expect(await alone.get(`${PODS}/x/proxy`)).toMatchObject({ status: 400, body: { kind: 'Status' } });
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = JSON.stringify({ status: { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] } });
    await alone.send('PATCH', `${PODS}/x/status`, { headers, body });
    expect(await alone.get(`${PODS}/x/proxy`)).toMatchObject({ status: 501, body: { kind: 'Status' } });
  });

  test('R175: a permission is checked by posting a review', async ({ vocabulary }) => {
    const api = await createTestServer({
      ...clauseOptions(vocabulary),
      authorizer: () => ({
        authorize: ({ user, verb, resource, namespace }) => ({
          decision:
            user.name !== 'anna' || (verb === 'get' && resource === 'configmaps' && namespace === 'a')
              ? 'allow'
              : 'no-opinion',
        }),
      }),
    });
    await using _api = api;
    const server = toClauseServer(api);
    const path = `/apis/authorization.${vocabulary.groupDomain}/v1/subjectaccessreviews`;
    const review = (verb: string, namespace: string) =>
      server.post(path, {
        apiVersion: `authorization.${vocabulary.groupDomain}/v1`,
        kind: 'SubjectAccessReview',
        spec: { user: 'anna', resourceAttributes: { verb, namespace, resource: 'configmaps' } },
      });
    for (const [verb, namespace, allowed] of [
      ['get', 'a', true],
      ['get', 'b', false],
      ['delete', 'a', false],
    ] as const) {
      const { status, body } = await review(verb, namespace);
      expect({ status, kind: body.kind, verdict: body.status }).toEqual({
        ...{ status: 201, kind: 'SubjectAccessReview' },
        verdict: { allowed },
      });
    }
    expect(await server.get(path)).toMatchObject({ status: 405 });
  });

  test('R176: a pod is evicted by posting to its subresource', async ({ vocabulary }) => {
    await using server = await serverWithPods(vocabulary);
    for (const name of ['x', 'y']) await server.post(PODS, pod(name));
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' } };
    expect(await server.post(`${PODS}/x/eviction`, eviction)).toMatchObject({
      status: 201,
      body: { kind: 'Status', status: 'Success' },
    });
    expect((await server.get(`${PODS}/x`)).body.metadata.deletionTimestamp).toBeDefined();
    expect((await server.get(`${PODS}/y`)).body.metadata.deletionTimestamp).toBeUndefined();
    expect(await server.post(`${PODS}/z/eviction`, { ...eviction, metadata: { name: 'z' } })).toMatchObject({
      status: 404,
    });
    expect(await server.get(`${PODS}/y/eviction`)).toMatchObject({ status: 405 });
  });

  test('R176: a pod with an exhausted budget is not evicted', async ({ vocabulary }) => {
    await using server = await serverWithPods(vocabulary);
    const made = await server.post(PODS, pod('x'));
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    expect(await server.put(`${PODS}/x/status`, { ...made.body, status })).toMatchObject({ status: 200 });
    const budgets = '/apis/policy/v1/namespaces/a/poddisruptionbudgets';
    const selector = { matchLabels: { app: 'shop' } };
    await server.post(budgets, { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } });
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' } };
    expect(await server.post(`${PODS}/x/eviction`, eviction)).toMatchObject({ status: 429 });
    expect((await server.get(`${PODS}/x`)).body.metadata.deletionTimestamp).toBeUndefined();
  });

  test('R177: an eviction may contain delete options', async ({ vocabulary }) => {
    await using server = await serverWithPods(vocabulary);
    const { uid } = (await server.post(PODS, pod('x'))).body.metadata;
    const evict = (deleteOptions: object) =>
      server.post(`${PODS}/x/eviction`, {
        ...{ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'x' } },
        deleteOptions,
      });
    expect(await evict({ preconditions: { uid: 'another' } })).toMatchObject({ status: 409 });
    expect(await evict({ dryRun: ['All'] })).toMatchObject({ status: 201 });
    expect((await server.get(`${PODS}/x`)).body.metadata.deletionTimestamp).toBeUndefined();
    expect(await evict({ preconditions: { uid }, gracePeriodSeconds: 7 })).toMatchObject({ status: 201 });
    expect((await server.get(`${PODS}/x`)).body.metadata.deletionGracePeriodSeconds).toBe(7);
  });
});
