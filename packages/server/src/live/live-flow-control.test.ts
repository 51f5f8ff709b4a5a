import { workloadResources } from '@ashlar/apis/workloads';
import { createBearerAuthenticator, createStaticTokens, withAuthenticatedGroup } from '@ashlar/authn';
import { alwaysAllow } from '@ashlar/authz';
import { type JsonObject, orchVocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { afterEach, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import type { ApiServerOptions } from '../assembly/api-server-options.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

const ambient = nodeAmbient(orchVocabulary);
const users = [{ token: 'of-anna', user: { name: 'anna', groups: [] } }];
const servers: ApiServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function started(options: ApiServerOptions = {}): Promise<ApiServer> {
  const server = createApiServer({
    ambient,
    resources: workloadResources(orchVocabulary),
    authenticator: () =>
      withAuthenticatedGroup(createBearerAuthenticator(createStaticTokens(users, ambient.random))),
    authorizer: () => alwaysAllow,
    ...options,
  });
  servers.push(server);
  await server.ready;
  return server;
}

const headers = { authorization: 'Bearer of-anna' };

async function classOf(server: ApiServer): Promise<readonly (string | null)[]> {
  const response = await server.fetch(new Request('http://server/api/v1/namespaces', { headers }));
  await response.text();
  return ['flowschema', 'prioritylevel'].map((part) => response.headers.get(`x-orch-pf-${part}-uid`));
}

const schemas = (server: ApiServer) => server.client.resource(flow('flowschemas', 'FlowSchema'));
const levels = (server: ApiServer) =>
  server.client.resource(flow('prioritylevelconfigurations', 'PriorityLevelConfiguration'));
const flow = (resource: string, kind: string) => ({
  ...{ group: 'flowcontrol.apiserver.orch.io', version: 'v1', resource, kind },
});

async function uidsOf(server: ApiServer, schema: string, level: string): Promise<readonly unknown[]> {
  const objects = await Promise.all([schemas(server).get(schema), levels(server).get(level)]);
  return objects.map(({ metadata }) => metadata.uid);
}

const ofAnna = {
  metadata: { name: 'of-anna' },
  spec: {
    priorityLevelConfiguration: { name: 'workload-high' },
    matchingPrecedence: 50,
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'anna' } }],
        resourceRules: [
          { verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true },
        ],
      },
    ],
  } as JsonObject,
};

it('classifies requests by stored objects, as they change', async () => {
  const server = await started();
  const first = await uidsOf(server, 'global-default', 'global-default');
  expect(await classOf(server)).toEqual(first);
  await schemas(server).create(ofAnna);
  const own = await uidsOf(server, 'of-anna', 'workload-high');
  await expect.poll(() => classOf(server)).toEqual(own);
  await schemas(server).delete('of-anna');
  await expect.poll(() => classOf(server)).toEqual(first);
});

it('is there in forks, with their own objects', async () => {
  const server = await started();
  const fork = server.fork();
  servers.push(fork);
  await fork.ready;
  await schemas(fork).create(ofAnna);
  const own = await uidsOf(fork, 'of-anna', 'workload-high');
  await expect.poll(() => classOf(fork)).toEqual(own);
  expect(await classOf(server)).toEqual(await uidsOf(server, 'global-default', 'global-default'));
});

it('tells what it does at its paths, which do not exist without it', async () => {
  const dump = async (server: ApiServer): Promise<readonly unknown[]> => {
    const url = 'http://server/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1';
    const response = await server.fetch(new Request(url, { headers }));
    return [response.status, await response.text()];
  };
  expect(await dump(await started())).toEqual([200, expect.stringMatching(/global-default,.*anna,\s+get,/)]);
  expect(await dump(await started({ priorityAndFairness: false }))).toEqual([404, expect.anything()]);
});

const [readOnly, mutating] = [0, 0];
it.each<readonly [string, ApiServerOptions]>([
  ['it is switched off', { priorityAndFairness: false }],
  ['there are no flow schemas', { resources: [] }],
  ['there is no limit', { limits: { readOnly, mutating } }],
])('is not there if %s', async (_, options) => {
  expect(await classOf(await started(options))).toEqual([null, null]);
});

it('needs seats', () => {
  const options = {
    authorizer: () => alwaysAllow,
    priorityAndFairness: true,
    limits: { readOnly, mutating },
  };
  const resources = workloadResources(orchVocabulary);
  expect(() => createApiServer({ ...options, resources })).toThrow('flow control needs seats, not 0');
});
