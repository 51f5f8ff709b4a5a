import { Metrics } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createTestApi } from '../testing/test-api.fixture.ts';
import { namespaces, notes } from '../testing/test-resources.fixture.ts';

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
