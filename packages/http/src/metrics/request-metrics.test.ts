import { type AuthorizationDecision, Metrics } from '@ashlar/core';
import { expect, it } from 'vitest';
import { InFlightLimiter } from '../pipeline/in-flight-limiter.ts';
import { RequestScope } from '../pipeline/request-scope.ts';
import { parseRequestInfo } from '../request/request-info.ts';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';
import { createRequestMetrics } from './request-metrics.ts';

const NOTE = '/api/v1/namespaces/x/notes/a';
const NOTES = '/api/v1/namespaces/x/notes';

it.each<[string, string, object]>([
  ['POST', NOTES, { verb: 'POST', scope: 'resource' }],
  ['POST', `${NOTES}?dryRun=All`, { verb: 'POST', scope: 'resource', dry_run: 'All' }],
  ['POST', `${NOTES}?dryRun=`, { verb: 'POST', scope: 'resource', dry_run: '' }],
  ['POST', `${NOTES}?dryRun=All&dryRun=Some`, { verb: 'POST', scope: 'resource', dry_run: 'invalid' }],
  ['DELETE', NOTES, { verb: 'DELETE', scope: 'namespace' }],
  ['GET', '/api/v1/notes', { verb: 'LIST', scope: 'cluster' }],
  ['GET', NOTE, { verb: 'GET', scope: 'resource' }],
  ['GET', `${NOTE}/log`, { verb: 'CONNECT', subresource: 'log' }],
  ['POST', `${NOTE}/exec`, { verb: 'CONNECT', subresource: 'exec' }],
])('%s %s is counted as %o', async (method, path, labels) => {
  const connections = [
    { name: 'log', kind: 'Note', verbs: ['get'] as const },
    { name: 'exec', kind: 'Note', verbs: ['create'] as const },
  ];
  const definitions = [namespaces, { ...notes, connections }];
  const api = createTestApi({ metrics: new Metrics(), definitions });
  await api.ask(method, path);
  const { text } = await api.ask('GET', '/metrics');
  const line = text.split('\n').find((each: string) => each.startsWith('apiserver_request_total{')) ?? '';
  for (const [name, value] of Object.entries(labels)) expect(line).toContain(`${name}="${value}"`);
});

/** The values of a metric's lines by their labels, in the order in which they are printed. */
async function valuesOf(api: TestApi, name: string): Promise<readonly string[]> {
  const { text } = await api.ask('GET', '/metrics');
  return text.split('\n').filter((each: string) => each.startsWith(`${name}{`));
}

it('measures responses to reads', async () => {
  const api = createTestApi({ metrics: new Metrics() });
  await api.ask('POST', NOTES, { metadata: { name: 'a' } });
  const { text } = await api.ask('GET', NOTE);
  expect(text.length).toBeLessThan(1000);
  const lines = await valuesOf(api, 'apiserver_response_sizes_sum');
  expect(lines.filter((line) => line.includes('resource="notes"'))).toEqual([
    `apiserver_response_sizes_sum{verb="GET",group="",version="v1",resource="notes",subresource="",scope="resource",component="apiserver"} ${text.length}`,
  ]);
});

/** A request for a note that arrived three seconds ago, and the metrics that record it. */
function recorded(change: Partial<RequestScope>, status: number, waited = 0): string {
  const metrics = new Metrics();
  const requests = createRequestMetrics(metrics, new InFlightLimiter({}), { monotonic: () => 3000 });
  const request = toRequest('POST', NOTES, {});
  const info = parseRequestInfo('POST', NOTES);
  const surroundings = { auditId: '', started: 0, now: () => 0 } as ConstructorParameters<
    typeof RequestScope
  >[2];
  const scope = Object.assign(new RequestScope(request, info, surroundings), change);
  scope.addWait('queue', waited);
  requests.record(scope, { status, headers: {} });
  return metrics.text();
}

it('counts durations with and without what a request waited for', () => {
  const text = recorded({}, 201, 2000);
  expect(text).toMatch(/^apiserver_request_duration_seconds_sum\{verb="POST".*\} 3$/m);
  expect(text).toMatch(/^apiserver_request_sli_duration_seconds_sum\{verb="POST".*\} 1$/m);
});

it('counts requests that are refused to protect the server', () => {
  expect(recorded({ isTerminated: true }, 429)).toMatch(
    /^apiserver_request_terminations_total\{verb="POST".*code="429"\} 1$/m,
  );
  expect(recorded({}, 429)).not.toContain('apiserver_request_terminations_total{');
});

it('counts how the handling of requests ends that were given up', async () => {
  const allowed: AuthorizationDecision = { decision: 'allow' };
  let allow = (_: AuthorizationDecision): void => {};
  const decided = new Promise<AuthorizationDecision>((resolve) => {
    allow = resolve;
  });
  let isOpen = false;
  const authorizer = { authorize: () => (isOpen ? allowed : decided) };
  const api = createTestApi({ metrics: new Metrics(), authorizer });
  const answered = api.ask('GET', NOTE);
  await Promise.resolve();
  api.clock.advance(60_000);
  expect((await answered).status).toBe(504);
  isOpen = true;
  allow(allowed);
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
  expect(await valuesOf(api, 'apiserver_request_post_timeout_total')).toEqual([
    'apiserver_request_post_timeout_total{source="timeout-handler",status="error"} 1',
  ]);
  const [terminated = ''] = await valuesOf(api, 'apiserver_request_terminations_total');
  expect(terminated).toContain('code="504"');
});
