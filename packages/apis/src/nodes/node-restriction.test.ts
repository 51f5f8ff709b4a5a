import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { createNodeRestriction } from './node-restriction.ts';

/** There is one round only. */
const onlyRound = { round: 0, again() {}, remember() {}, remembered: () => undefined } as const;

const object = (metadata: object, rest: object = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'X', metadata, ...rest }) as unknown as ApiObject;

const plugin = createNodeRestriction({
  ambient: { vocabulary: orchVocabulary, clock: createSteppedClock(0) },
  pod: (_, name) => {
    if (name === 'mine') return object({ name, uid: 'u1' }, { spec: { nodeName: 'n' } });
    return name === 'theirs' ? object({ name, uid: 'u2' }, { spec: { nodeName: 'm' } }) : undefined;
  },
  node: (name) => (name === 'n' ? object({ name, uid: 'nu' }) : undefined),
});

const node = { name: 'system:node:n', groups: ['system:nodes'] };

async function ask(
  operation: AdmissionRequest['operation'],
  path: string,
  changes: Partial<AdmissionRequest> = {},
): Promise<string | undefined> {
  const [plural = '', subresource = ''] = path.split('/');
  const [resource = '', ...group] = plural.split('.');
  const request = {
    ...{ operation, subresource, namespace: 'ns', name: '', user: node, dryRun: false },
    resource: { group: group.join('.'), version: 'v1', resource },
    kind: { group: group.join('.'), version: 'v1', kind: 'X' },
    ...{ warn: () => {}, annotate: () => {} },
    ...changes,
  } as AdmissionRequest;
  if (!plugin.handles(request)) return undefined;
  try {
    await plugin.admit?.(request, onlyRound);
    return undefined;
  } catch (error) {
    return (error as Error).message.replace(/^.*? is forbidden: /, '');
  }
}

const named = (name: string, labels?: object): Partial<AdmissionRequest> => ({
  name,
  object: object({ name, ...(labels && { labels }) }),
});

describe('nodes', () => {
  it('are the only restricted users, and must have a name', async () => {
    expect(await ask('DELETE', 'nodes', { name: 'm', user: { name: 'anna', groups: [] } })).toBeUndefined();
    const user = { name: 'system:node:', groups: ['system:nodes'] };
    expect(await ask('CREATE', 'configmaps', { user })).toBe(
      'could not determine node from user "system:node:"',
    );
  });

  it('may change only themselves', async () => {
    expect(await ask('CREATE', 'nodes', named('n'))).toBeUndefined();
    expect(await ask('CREATE', 'nodes', named('m'))).toBe('node "n" is not allowed to modify node "m"');
    expect(await ask('DELETE', 'nodes', { name: 'm' })).toBe('node "n" is not allowed to modify node "m"');
  });

  it('may set labels of their machine, and no others of the vendor', async () => {
    const fine = { 'orch.io/os': 'a', 'topology.orch.io/zone': 'z', 'x.node.orch.io/y': 'z', mine: 'x' };
    expect(await ask('CREATE', 'nodes', named('n', fine))).toBeUndefined();
    const bad = { 'orch.io/other': 'a', 'node-restriction.orch.io/a': 'b', 'k8s.io/x': 'y' };
    expect(await ask('CREATE', 'nodes', named('n', bad))).toBe(
      'node "n" is not allowed to set the following labels: k8s.io/x, node-restriction.orch.io/a, orch.io/other',
    );
    const oldObject = object({ name: 'n', labels: bad });
    expect(await ask('UPDATE', 'nodes', { ...named('n', bad), oldObject })).toBeUndefined();
    expect(await ask('UPDATE', 'nodes', { ...named('n'), oldObject })).toBe(
      'is not allowed to modify labels: k8s.io/x, node-restriction.orch.io/a, orch.io/other',
    );
  });

  it('may change neither their taints nor their owners', async () => {
    const oldObject = object({ name: 'n' });
    const tainted = object({ name: 'n' }, { spec: { taints: [{ key: 'a' }] } });
    expect(await ask('UPDATE', 'nodes', { name: 'n', object: tainted, oldObject })).toBe(
      'node "n" is not allowed to modify taints',
    );
    const owned = object({ name: 'n', ownerReferences: [{ uid: 'u' }] });
    expect(await ask('UPDATE', 'nodes', { name: 'n', object: owned, oldObject })).toBe(
      'node "n" is not allowed to modify ownerReferences',
    );
  });
});

describe('pods of a node', () => {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'nu', controller: true };
  const mirror = (spec: object = {}, metadata: object = {}): Partial<AdmissionRequest> => ({
    object: object(
      { name: 'p', annotations: { 'orch.io/config.mirror': 'x' }, ownerReferences: [owner], ...metadata },
      { spec: { nodeName: 'n', ...spec } },
    ),
  });

  it('mirror its files and reference nothing', async () => {
    expect(await ask('CREATE', 'pods', mirror())).toBeUndefined();
    expect(await ask('CREATE', 'pods', mirror({}, { annotations: {} }))).toBe(
      'pod does not have "orch.io/config.mirror" annotation, node "n" can only create mirror pods',
    );
    expect(await ask('CREATE', 'pods', mirror({ nodeName: 'm' }))).toMatch(/spec.nodeName set to itself$/);
    expect(await ask('CREATE', 'pods', mirror({}, { ownerReferences: [] }))).toMatch(
      /an owner reference set/,
    );
    expect(await ask('CREATE', 'pods', mirror({}, { ownerReferences: [{ ...owner, uid: 'x' }] }))).toBe(
      'node n UID mismatch: expected x got nu',
    );
    expect(await ask('CREATE', 'pods', mirror({ serviceAccountName: 'a' }))).toMatch(/a service account$/);
    const volume = (source: object) => mirror({ volumes: [{ name: 'v', ...source }] });
    expect(await ask('CREATE', 'pods', volume({ secret: { secretName: 's' } }))).toMatch(
      /reference secrets$/,
    );
    expect(await ask('CREATE', 'pods', volume({ configMap: { name: 's' } }))).toMatch(
      /reference configmaps$/,
    );
    expect(await ask('CREATE', 'pods', volume({ persistentVolumeClaim: { claimName: 'c' } }))).toMatch(
      /reference persistentvolumeclaims$/,
    );
  });

  it('cannot be deleted, evicted and updated by other nodes', async () => {
    expect(await ask('DELETE', 'pods', { name: 'mine' })).toBeUndefined();
    expect(await ask('DELETE', 'pods', { name: 'theirs' })).toBe(
      'node "n" can only delete pods with spec.nodeName set to itself',
    );
    expect(await ask('DELETE', 'pods', { name: 'none' })).toBe('pod "none" not found');
    expect(await ask('CREATE', 'pods/eviction', { name: 'mine' })).toBeUndefined();
    expect(await ask('CREATE', 'pods/eviction', { name: 'theirs' })).toBe(
      'node n can only evict pods with spec.nodeName set to itself',
    );
    expect(await ask('CREATE', 'pods/exec', { name: 'mine' })).toMatch(/^unexpected pod subresource "exec"/);
    const stored = (nodeName: string, labels = {}) => object({ name: 'p', labels }, { spec: { nodeName } });
    const report = (object_: ApiObject, oldObject: ApiObject) =>
      ask('UPDATE', 'pods/status', { name: 'p', object: object_, oldObject });
    expect(await report(stored('n'), stored('n'))).toBeUndefined();
    expect(await report(stored('m'), stored('m'))).toMatch(/can only update pod status for pods/);
    expect(await report(stored('n', { a: 'b' }), stored('n'))).toBe(
      'node "n" cannot update labels through pod status',
    );
    const claiming = { ...stored('n'), status: { resourceClaimStatuses: [{ name: 'c' }] } } as ApiObject;
    expect(await report(claiming, claiming)).toBeUndefined();
    expect(await report(claiming, stored('n'))).toBe('node "n" cannot update resource claim statues');
  });

  it('get tokens that are bound to them', async () => {
    const token = (ref?: object) =>
      ask('CREATE', 'serviceaccounts/token', {
        name: 'robot',
        object: object(
          {},
          { spec: { ...(ref && { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', ...ref } }) } },
        ),
      });
    expect(await token({ name: 'mine', uid: 'u1' })).toBeUndefined();
    expect(await token()).toBe('node requested token not bound to a pod');
    expect(await token({ name: 'mine' })).toBe('node requested token with a pod binding without a uid');
    expect(await token({ name: 'mine', uid: 'x' })).toMatch(/does not match the UID in record/);
    expect(await token({ name: 'theirs', uid: 'u2' })).toBe(
      'node requested token bound to a pod scheduled on a different node',
    );
  });
});

describe('other objects of a node', () => {
  it('must have its name', async () => {
    const leases = 'leases.coordination.orch.io';
    const namespace = 'orch-node-lease';
    expect(await ask('CREATE', leases, { namespace, ...named('n') })).toBeUndefined();
    expect(await ask('CREATE', leases, { namespace, ...named('m') })).toBe(
      'can only access node lease with the same name as the requesting node',
    );
    expect(await ask('UPDATE', leases, { ...named('n') })).toMatch(
      /in the "orch-node-lease" system namespace$/,
    );
    expect(await ask('DELETE', 'csinodes.storage.orch.io', { name: 'm' })).toMatch(
      /^can only access CSINode/,
    );
  });

  it('include claims whose progress it reports', async () => {
    const oldObject = object({ name: 'c' }, { spec: {}, status: { phase: 'Bound' } });
    const received = object(
      { name: 'c' },
      { spec: {}, status: { phase: 'Bound', capacity: { storage: '1' } } },
    );
    expect(
      await ask('UPDATE', 'persistentvolumeclaims/status', { object: received, oldObject }),
    ).toBeUndefined();
    const more = object({ name: 'c' }, { spec: {}, status: { phase: 'Lost' } });
    expect(await ask('UPDATE', 'persistentvolumeclaims/status', { object: more, oldObject })).toMatch(
      /is not allowed to update fields other than/,
    );
    expect(await ask('UPDATE', 'persistentvolumeclaims', { object: received, oldObject })).toBe(
      'may only update PVC status',
    );
  });
});
