import type { ApiService } from '@ashlar/aggregation';
import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from './api-server.ts';
import { createApiServer } from './create-api-server.ts';

const services = ({ client }: ApiServer) =>
  client.resource<ApiService>({
    group: 'apiregistration.orch.io',
    version: 'v1',
    resource: 'apiservices',
    kind: 'APIService',
  });
const definitions = ({ client }: ApiServer) =>
  client.resource<ApiObject & { spec: object }>({
    group: 'apiextensions.orch.io',
    version: 'v1',
    resource: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
  });

const version = (name: string, storage: boolean) => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object' } },
});
const widgets = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [version('v1beta1', false), version('v1', true)],
  },
};
const MARKER = 'kube-aggregator.orch.io/automanaged';

/** Waits until API services of those names have been created or deleted, in any order. */
async function seen(server: ApiServer, type: 'ADDED' | 'DELETED', names: readonly string[]): Promise<void> {
  const missing = new Set(names);
  const resourceVersion = type === 'ADDED' ? '0' : undefined;
  for await (const event of services(server).watch({ ...(resourceVersion && { resourceVersion }) })) {
    if (event.type === type) missing.delete(event.object.metadata.name ?? '');
    if (missing.size === 0) return;
  }
}

describe('API services', () => {
  it('are created and deleted with the versions of definitions', async () => {
    await using server = createApiServer({ vocabulary: orchVocabulary });
    await server.ready;
    await definitions(server).create(widgets);
    const names = ['v1.example.com', 'v1beta1.example.com'];
    await seen(server, 'ADDED', names);
    expect(await services(server).get('v1.example.com')).toMatchObject({
      metadata: { labels: { [MARKER]: 'true' } },
      spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 1000, versionPriority: 100 },
      status: { conditions: [{ type: 'Available', status: 'True', reason: 'Local' }] },
    });
    const gone = seen(server, 'DELETED', names);
    await definitions(server).delete('widgets.example.com');
    await gone;
  });

  it('are restored after changes, and untouched where users created them', async () => {
    await using server = createApiServer({ vocabulary: orchVocabulary });
    await server.ready;
    const spec = { group: 'other.example.com', version: 'v1', groupPriorityMinimum: 10, versionPriority: 1 };
    await services(server).create({ metadata: { name: 'v1.other.example.com' }, spec });
    await definitions(server).create(widgets);
    await seen(server, 'ADDED', ['v1.example.com']);
    const service = await services(server).get('v1.example.com');
    const changed = { ...service, spec: { ...service.spec, versionPriority: 7 } };
    const { resourceVersion = '' } = (await services(server).update(changed)).metadata;
    for await (const { object } of services(server).watch({ resourceVersion })) {
      if (object.metadata.name === 'v1.example.com' && object.spec.versionPriority === 100) break;
    }
    expect(await services(server).get('v1.other.example.com')).toMatchObject({ spec });
  });

  it('of other servers are not available where the server makes no requests', async () => {
    await using server = createApiServer({ vocabulary: orchVocabulary, resolveService: () => 'https://a:1' });
    await server.ready;
    const service = { name: 'backend', namespace: 'default' };
    const spec = {
      group: 'example.com',
      version: 'v1',
      groupPriorityMinimum: 10,
      versionPriority: 1,
      service,
    };
    await services(server).create({ metadata: { name: 'v1.example.com' }, spec });
    for await (const { object } of services(server).watch()) {
      const condition = object.status?.conditions?.[0];
      if (!condition || object.metadata.name !== 'v1.example.com') continue;
      expect(condition).toMatchObject({ status: 'False', reason: 'FailedDiscoveryCheck' });
      expect(condition.message).toContain('this server makes no outgoing requests');
      break;
    }
    const response = await server.fetch(new Request('http://server/apis/example.com/v1'));
    expect([response.status, await response.text()]).toEqual([503, 'service unavailable\n']);
  });
});
