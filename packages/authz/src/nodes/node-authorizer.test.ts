import { type ApiObject, type AuthorizationAttributes, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { attributesOf } from '../decision/attributes.fixture.ts';
import { createNodeAuthorizer } from './node-authorizer.ts';
import { NodeGraph } from './node-graph.ts';

const graph = new NodeGraph(orchVocabulary);
graph.setPod({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'ns' } },
  spec: { nodeName: 'n', volumes: [{ secret: { secretName: 's' } }] },
} as unknown as ApiObject);

const authorizer = createNodeAuthorizer({
  vocabulary: orchVocabulary,
  graph,
  rules: [{ verbs: ['get'], apiGroups: [''], resources: ['services'] }],
});

const node = { name: 'system:node:n', groups: ['system:nodes'] };

function ask(verb: string, resource: string, changes: Partial<AuthorizationAttributes> = {}): unknown {
  const attributes = { user: node, verb, resource, name: '', path: '', ...changes };
  const { decision, reason } = authorizer.authorize(attributesOf(attributes)) as {
    decision: string;
    reason?: string;
  };
  return decision === 'allow' ? true : (reason ?? false);
}

const UNRELATED = "no relationship found between node 'n' and this object";
const cluster = { namespace: '' };
const status = { subresource: 'status' };
const coordination = { apiGroup: 'coordination.orch.io', namespace: 'orch-node-lease' };
const devices = { apiGroup: 'resource.orch.io', namespace: '' };
const SLICES = 'can only list/watch/deletecollection resourceslices with nodeName field selector';

describe('the node authorizer', () => {
  it('has no opinion about other users', () => {
    expect(ask('get', 'secrets', { name: 's', user: { name: 'anna', groups: ['system:nodes'] } })).toBe(
      false,
    );
    expect(ask('get', 'secrets', { name: 's', user: { name: 'system:node:n', groups: [] } })).toBe(false);
    const nameless = { name: 'system:node:', groups: ['system:nodes'] };
    expect(ask('get', 'services', { user: nameless })).toBe('unknown node for user "system:node:"');
  });

  it.each([
    ['get', 'secrets', { name: 's' }, true],
    ['watch', 'secrets', { name: 's' }, true],
    ['get', 'secrets', { name: 't' }, UNRELATED],
    ['list', 'secrets', {}, 'No Object name found'],
    ['list', 'secrets', cluster, 'can only read namespaced object of this type'],
    ['update', 'secrets', { name: 's' }, 'can only read resources of this type'],
    ['get', 'secrets', { name: 's', ...status }, 'cannot read subresource'],
    ['list', 'persistentvolumes', cluster, 'can only get individual resources of this type'],
    ['get', 'persistentvolumeclaims', { name: 'c' }, UNRELATED],
    ['update', 'persistentvolumeclaims', { name: 'c', ...status }, UNRELATED],
    ['delete', 'persistentvolumeclaims', { name: 'c', ...status }, 'can only get/update/patch this type'],
    ['get', 'serviceaccounts', { name: 'a' }, 'can only create tokens for individual service accounts'],
    ['create', 'serviceaccounts', { name: 'a', subresource: 'token' }, UNRELATED],
    ['get', 'nodes', { name: 'n', ...cluster }, true],
    ['get', 'nodes', { name: 'm', ...cluster }, "node 'n' cannot read 'm', only its own Node object"],
    ['list', 'nodes', cluster, "node 'n' cannot read all nodes, only its own Node object"],
    ['patch', 'nodes', { name: 'm', ...cluster }, true],
    ['patch', 'nodes', { name: 'm', ...cluster, ...status }, true],
    ['delete', 'nodes', { name: 'n', ...cluster }, false],
    ['get', 'pods', { name: 'p' }, true],
    ['get', 'pods', { name: 'q' }, UNRELATED],
    ['list', 'pods', {}, 'can only list/watch pods with spec.nodeName field selector'],
    ['list', 'pods', { fieldSelector: 'spec.nodeName=n' }, true],
    [
      'list',
      'pods',
      { fieldSelector: 'spec.nodeName!=n' },
      'can only list/watch pods with spec.nodeName field selector',
    ],
    ['list', 'pods', { fieldSelector: 'a' }, 'can only list/watch pods with spec.nodeName field selector'],
    ['create', 'pods', { name: 'p', subresource: 'eviction' }, true],
    ['create', 'pods', { name: 'p', subresource: 'exec' }, false],
    ['get', 'leases', { ...coordination, name: 'n' }, true],
    [
      'get',
      'leases',
      { ...coordination, name: 'm' },
      'can only access node lease with the same name as the requesting node',
    ],
    ['list', 'leases', coordination, 'can only get, create, update, patch, or delete a node lease'],
    [
      'get',
      'leases',
      { ...coordination, name: 'n', namespace: 'ns' },
      'can only access leases in the "orch-node-lease" system namespace',
    ],
    ['create', 'csinodes', { ...cluster, apiGroup: 'storage.orch.io' }, true],
    ['get', 'resourceclaims', { ...devices, name: 'x' }, UNRELATED],
    ['list', 'resourceclaims', devices, 'can only get individual resources of this type'],
    ['create', 'resourceslices', devices, true],
    ['get', 'resourceslices', { ...devices, name: 'x' }, UNRELATED],
    ['list', 'resourceslices', { ...devices, fieldSelector: 'spec.nodeName=n' }, true],
    ['deletecollection', 'resourceslices', { ...devices, fieldSelector: 'nodeName=n' }, SLICES],
    ['watch', 'resourceslices', devices, SLICES],
    [
      'create',
      'resourceslices',
      { ...devices, subresource: 'x' },
      'cannot authorize ResourceSlice subresources',
    ],
    ['get', 'services', { name: 'x' }, true],
    ['delete', 'services', { name: 'x' }, false],
  ])('%s %s %j', (verb, resource, changes, expected) => {
    expect(ask(verb, resource, changes)).toBe(expected);
  });

  it('cannot list the rules of nodes', async () => {
    expect(await authorizer.rules?.(node, 'ns')).toMatchObject({
      incomplete: true,
      errors: ['node authorizer does not support user rule resolution'],
    });
    expect(await authorizer.rules?.({ name: 'anna', groups: [] }, 'ns')).toMatchObject({ incomplete: false });
  });
});
