import { workloadResources } from '@ashlar/apis/workloads';
import { alwaysAllow } from '@ashlar/authz';
import { type ApiObject, type Authorizer, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { ApiServer } from '../assembly/api-server.ts';
import { createApiServer } from '../assembly/create-api-server.ts';

const user = { name: 'system:node:n', groups: ['system:nodes'] };

/** A server whose requests are all of the node `n`, and the node authorizer. */
function serverOfNode(): { readonly server: ApiServer; readonly node: () => Authorizer } {
  let node: Authorizer = alwaysAllow;
  const server = createApiServer({
    resources: workloadResources(orchVocabulary),
    authenticator: () => ({ authenticate: () => ({ outcome: 'authenticated', user }) }),
    authorizer: (stored) => {
      node = stored.node;
      return alwaysAllow;
    },
    enabledAdmissionPlugins: ['NodeRestriction'],
    disabledAdmissionPlugins: ['ServiceAccount'],
    controllers: false,
  });
  return { server, node: () => node };
}

const mounting = (name: string, nodeName: string): object => ({
  metadata: { name },
  spec: {
    nodeName,
    containers: [{ name: 'c', image: 'i' }],
    volumes: [{ name: 'v', secret: { secretName: `of-${name}` } }],
  },
});

async function mayRead(node: Authorizer, name: string): Promise<boolean> {
  const { decision } = await node.authorize({
    ...{ user, verb: 'get', isResourceRequest: true, apiGroup: '', apiVersion: 'v1', resource: 'secrets' },
    ...{ subresource: '', namespace: 'default', name, path: '' },
  });
  return decision === 'allow';
}

describe('nodes of a server', () => {
  it('may read what their pods reference, as long as the pods exist', async () => {
    const { server, node } = serverOfNode();
    await using _ = server;
    await server.ready;
    const pods = server.client
      .resource<ApiObject>({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' })
      .namespace('default');
    await pods.create(mounting('before', 'n') as ApiObject);
    expect(await mayRead(node(), 'of-before')).toBe(true);
    await pods.create(mounting('mine', 'n') as ApiObject);
    await pods.create(mounting('theirs', 'm') as ApiObject);
    await expect.poll(() => mayRead(node(), 'of-mine')).toBe(true);
    expect(await mayRead(node(), 'of-theirs')).toBe(false);
    await pods.delete('mine', { gracePeriodSeconds: 0 });
    await expect.poll(() => mayRead(node(), 'of-mine')).toBe(false);
  });

  it('are limited to their own objects, also in subresources', async () => {
    const { server } = serverOfNode();
    await using _ = server;
    await server.ready;
    const pods = server.client
      .resource<ApiObject>({ group: '', version: 'v1', resource: 'pods', kind: 'Pod' })
      .namespace('default');
    await pods.create(mounting('theirs', 'm') as ApiObject);
    const post = async (path: string, body: object): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      const request = new Request(`http://server/api/v1/${path}`, {
        ...{ method: 'POST', headers, body: JSON.stringify(body) },
      });
      return ((await (await server.fetch(request)).json()) as { readonly message?: string }).message;
    };
    const other = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'm' } };
    expect(await post('nodes', other)).toBe(
      'nodes "m" is forbidden: node "n" is not allowed to modify node "m"',
    );
    const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'theirs' } };
    expect(await post('namespaces/default/pods/theirs/eviction', eviction)).toBe(
      'pods "theirs" is forbidden: node n can only evict pods with spec.nodeName set to itself',
    );
  });
});
