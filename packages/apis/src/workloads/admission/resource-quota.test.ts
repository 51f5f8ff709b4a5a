import type { AdmissionRequest } from '@ashlar/admission';
import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { CountedQuota } from '../quota/counted-quota.ts';
import type { LimitedResource } from '../quota/limited-resources.ts';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { podOf, underTest } from './admission.fixture.ts';
import { createResourceQuota } from './resource-quota.ts';

type Amounts = Readonly<Record<string, string>>;

const zero = (hard: Amounts): Amounts => Object.fromEntries(Object.keys(hard).map((name) => [name, '0']));
const quotaOf = (
  hard: Amounts,
  used: Amounts | undefined = zero(hard),
  spec: object = {},
): ResourceQuota => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'q', namespace: 'n' },
  spec: { hard, ...spec },
  status: { hard, ...(used && { used }) },
});
const container = (resources: object = {}, name = 'c') => ({ name, resources });

describe.each([kubernetesVocabulary, orchVocabulary])('quotas in vocabulary $name', (vocabulary) => {
  const limiting = (...given: readonly ResourceQuota[]) => limitingTo([], ...given);
  function limitingTo(limitedResources: readonly LimitedResource[], ...given: readonly ResourceQuota[]) {
    const quotas = [...given];
    const plugin = createResourceQuota({
      vocabulary,
      limitedResources,
      quotas: () => quotas,
      requireAbsent({ resource, name }) {
        if (name === 'there') throw StatusError.alreadyExists(resource, name);
      },
      async change(quota, change, dryRun) {
        const at = quotas.findIndex(({ metadata }) => metadata.name === quota.metadata.name);
        const counted = new CountedQuota(quotas[at] as ResourceQuota);
        change(counted);
        if (!dryRun) quotas[at] = counted.result;
      },
    });
    return { ...underTest(plugin), used: () => quotas.map(({ status }) => status?.used) };
  }
  const of = (resource: string, group = ''): Partial<AdmissionRequest> => ({
    resource: { group, version: 'v1', resource },
  });
  const used = async (hard: Amounts, object: ApiObject, changes: Partial<AdmissionRequest>) => {
    const quota = limiting(quotaOf(hard));
    await quota.admit(object, changes);
    return quota.used()[0];
  };

  it('count objects by both of their names, and refuse those that are too many', async () => {
    const quota = limiting(quotaOf({ configmaps: '1', 'count/configmaps': '5', secrets: '1' }));
    await quota.admit(podOf({}), of('configmaps'));
    expect(quota.used()).toEqual([{ configmaps: '1', 'count/configmaps': '1', secrets: '0' }]);
    await expect(quota.admit(podOf({}), of('configmaps'))).rejects.toThrow(
      'configmaps "a" is forbidden: exceeded quota: q, requested: configmaps=1, used: configmaps=1, limited: configmaps=1',
    );
    await quota.admit(podOf({}), { ...of('configmaps'), operation: 'UPDATE', oldObject: podOf({}) });
    expect(quota.used()[0]).toMatchObject({ configmaps: '1' });
  });

  it('count kinds of groups, but no events', async () => {
    const leases = groupName(vocabulary, 'coordination.');
    const hard = { [`count/leases.${leases}`]: '1', 'count/events': '1' };
    expect(await used(hard, podOf({}), of('leases', leases))).toEqual({
      ...zero(hard),
      [`count/leases.${leases}`]: '1',
    });
    expect(await used(hard, podOf({}), of('events'))).toEqual(zero(hard));
  });

  it('count what pods request and are limited to, with their overhead, and the larger sum of init containers', async () => {
    const hard = {
      ...{
        pods: '9',
        cpu: '9',
        'requests.cpu': '9',
        'limits.cpu': '9',
        memory: '9Gi',
        'hugepages-2Mi': '9Gi',
      },
      ...{ 'requests.hugepages-2Mi': '9Gi', 'requests.example.com/gpu': '9', 'limits.memory': '9Gi' },
    };
    const pod = podOf({
      containers: [
        container({
          requests: { cpu: '1', memory: '1Gi', 'hugepages-2Mi': '4Mi', 'example.com/gpu': '2' },
          limits: { cpu: '2', memory: '0' },
        }),
      ],
      initContainers: [
        container({ requests: { cpu: '3', memory: '1Gi' }, limits: { cpu: '3', memory: '0' } }),
      ],
      overhead: { cpu: '100m', memory: '1Mi' },
    });
    expect(await used(hard, pod, {})).toEqual({
      ...{ pods: '1', cpu: '3100m', 'requests.cpu': '3100m', 'limits.cpu': '3100m', memory: '1025Mi' },
      ...{ 'hugepages-2Mi': '4Mi', 'requests.hugepages-2Mi': '4Mi', 'requests.example.com/gpu': '2' },
      'limits.memory': '0',
    });
  });

  it('want every container to say what they limit', async () => {
    const quota = limiting(quotaOf({ 'limits.memory': '1', cpu: '1', pods: '1' }));
    const containers = [
      container({ limits: { memory: '1' } }, 'a'),
      container({ requests: { cpu: '1m' } }, 'b'),
    ];
    await expect(quota.admit(podOf({ containers }))).rejects.toThrow(
      'pods "a" is forbidden: failed quota: q: must specify cpu for: a; limits.memory for: b',
    );
  });

  it('count services, their node ports and load balancers, also when they change', async () => {
    const hard = { services: '9', 'services.nodeports': '3', 'services.loadbalancers': '1' };
    const ports = [{ nodePort: 1 }, {}];
    const cluster = podOf({ type: 'ClusterIP', ports });
    const balanced = podOf({ type: 'LoadBalancer', ports });
    expect(await used(hard, cluster, of('services'))).toEqual({ ...zero(hard), services: '1' });
    const update: Partial<AdmissionRequest> = { ...of('services'), operation: 'UPDATE', oldObject: cluster };
    const all = { services: '0', 'services.nodeports': '2', 'services.loadbalancers': '1' };
    expect(await used(hard, balanced, update)).toEqual(all);
    expect(await used(hard, cluster, { ...update, oldObject: balanced })).toEqual(zero(hard));
    const few = podOf({ type: 'LoadBalancer', ports, allocateLoadBalancerNodePorts: false });
    expect(await used(hard, few, of('services'))).toEqual({
      ...all,
      services: '1',
      'services.nodeports': '1',
    });
  });

  it('count claims and their storage by class, in whole bytes', async () => {
    const byClass = `fast.storageclass.${groupName(vocabulary, 'storage.')}`;
    const hard = {
      ...{ persistentvolumeclaims: '9', 'requests.storage': '9Gi', [`${byClass}/requests.storage`]: '9Gi' },
      [`${byClass}/persistentvolumeclaims`]: '9',
    };
    const claim = podOf({ storageClassName: 'fast', resources: { requests: { storage: '1500m' } } });
    expect(await used(hard, claim, of('persistentvolumeclaims'))).toEqual({
      ...{ persistentvolumeclaims: '1', 'requests.storage': '2', [`${byClass}/requests.storage`]: '2' },
      [`${byClass}/persistentvolumeclaims`]: '1',
    });
  });

  const high = { priorityClassName: 'high' };
  const affinity = {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ podAffinityTerm: { namespaces: ['o'] } }],
    },
  };
  it.each<[object, object, object]>([
    [{ scopeName: 'Terminating' }, { activeDeadlineSeconds: 0 }, {}],
    [{ scopeName: 'NotTerminating' }, {}, { activeDeadlineSeconds: 1 }],
    [{ scopeName: 'BestEffort' }, {}, { containers: [container({ requests: { cpu: '1' } })] }],
    [{ scopeName: 'NotBestEffort' }, { containers: [container({ limits: { cpu: '1' } })] }, {}],
    [{ scopeName: 'PriorityClass' }, high, {}],
    [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }, high, { priorityClassName: 'low' }],
    [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }, {}, high],
    [{ scopeName: 'PriorityClass', operator: 'DoesNotExist' }, {}, high],
    [{ scopeName: 'CrossNamespacePodAffinity' }, { affinity }, { affinity: {} }],
  ])('of scope %j count pods %j, not %j', async (scope, inside, outside) => {
    const spec = { scopeSelector: { matchExpressions: [scope] } };
    const quota = limiting(quotaOf({ pods: '1' }, { pods: '0' }, spec));
    await quota.admit(podOf(outside));
    expect(quota.used()).toEqual([{ pods: '0' }]);
    await quota.admit(podOf(inside));
    expect(quota.used()).toEqual([{ pods: '1' }]);
  });

  it('change none of several if one of them refuses', async () => {
    const full = { ...quotaOf({ pods: '1' }, { pods: '1' }), metadata: { name: 'r' } };
    const quota = limiting(quotaOf({ pods: '9' }), full);
    await expect(quota.admit(podOf({}))).rejects.toThrow('exceeded quota: r');
    expect(quota.used()).toEqual([{ pods: '0' }, { pods: '1' }]);
  });

  it('refuse what nobody has counted, and enforce nothing without a status', async () => {
    const unknown = {
      ...quotaOf({ pods: '9', secrets: '1' }),
      status: { hard: { pods: '9', secrets: '1' } },
    };
    await expect(limiting(unknown).admit(podOf({}))).rejects.toThrow(
      'status unknown for quota: q, resources: pods',
    );
    const { status: _, ...fresh } = unknown;
    await limiting(fresh).admit(podOf({}));
  });

  it('do not count what cannot be created', async () => {
    const quota = limiting(quotaOf({ pods: '1' }));
    await expect(quota.admit(podOf({}, { name: 'there' }))).rejects.toThrow('pods "there" already exists');
    expect(quota.used()).toEqual([{ pods: '0' }]);
    const full = limiting(quotaOf({ pods: '1' }, { pods: '1' }), quotaOf({ pods: '1' }));
    await expect(full.admit(podOf({}, { name: 'there' }))).rejects.toThrow('exceeded quota');
  });

  it('are needed for what is limited without them', async () => {
    const limited = [
      { resource: 'configmaps', matchContains: ['count/', 'maps'] },
      { resource: 'persistentvolumeclaims', matchContains: ['.storage'] },
      { apiGroup: 'apps', resource: 'pods', matchContains: ['pods'] },
    ];
    const none = limitingTo(limited);
    await none.admit(podOf({}));
    await none.admit(podOf({}), of('configmaps', 'other'));
    await expect(none.admit(podOf({}), of('configmaps'))).rejects.toThrow(
      'configmaps "a" is forbidden: insufficient quota to consume: configmaps,count/configmaps',
    );
    const some = limitingTo(limited, quotaOf({ configmaps: '1' }));
    await expect(some.admit(podOf({}), of('configmaps'))).rejects.toThrow('consume: count/configmaps');
    const all = limitingTo(limited, quotaOf({ configmaps: '1', 'count/configmaps': '1' }));
    await all.admit(podOf({}), of('configmaps'));
    const claim = podOf({ resources: { requests: { storage: '1' } } });
    await expect(none.admit(claim, of('persistentvolumeclaims'))).rejects.toThrow(
      'consume: requests.storage',
    );
    const update: Partial<AdmissionRequest> = { ...of('persistentvolumeclaims'), operation: 'UPDATE' };
    await none.admit(claim, { ...update, oldObject: claim });
  });

  it('are needed for objects in scopes that are limited without them', async () => {
    const scope = { scopeName: 'PriorityClass', operator: 'In', values: ['high', 'higher'] };
    const limited = [
      { resource: 'pods', matchScopes: [scope, { scopeName: 'BestEffort', operator: 'Exists' }] },
    ];
    const none = limitingTo(limited);
    const refused = await none.admit(podOf(high)).catch((error: unknown) => error);
    expect(StatusError.is(refused) && [refused.code, refused.reason, refused.message]).toEqual([
      ...[500, ''],
      'insufficient quota to match these scopes: [{PriorityClass In [high higher]} {BestEffort Exists []}]',
    ]);
    const spec = { scopes: ['BestEffort'], scopeSelector: { matchExpressions: [scope] } };
    await limitingTo(limited, quotaOf({ pods: '1' }, { pods: '0' }, spec)).admit(podOf(high));
  });

  it('are checked and left alone by dry runs', async () => {
    const quota = limiting(quotaOf({ pods: '1' }));
    await quota.admit(podOf({}), { dryRun: true });
    expect(quota.used()).toEqual([{ pods: '0' }]);
    await quota.admit(podOf({}));
    await expect(quota.admit(podOf({}), { dryRun: true })).rejects.toThrow('exceeded quota: q');
  });

  it('count a pod in the class that it was sent with', async () => {
    const quota = limiting(quotaOf({ pods: '1' }, { pods: '0' }, { scopes: ['BestEffort'] }));
    await quota.admit({ ...podOf({}), status: { qosClass: 'Guaranteed' } });
    expect(quota.used()).toEqual([{ pods: '0' }]);
    const limited = podOf({ containers: [container({ limits: { cpu: '1' } })] });
    await quota.admit({ ...limited, status: { qosClass: 'BestEffort' } });
    expect(quota.used()).toEqual([{ pods: '1' }]);
  });

  it('compare a pod with their scopes, which may be repeated', async () => {
    const scopes = (names: readonly string[]) => ({ scopes: names });
    const selects = (...matchExpressions: readonly object[]) => ({ scopeSelector: { matchExpressions } });
    const both = ['BestEffort', 'NotTerminating', 'BestEffort'];
    const quotas = [
      quotaOf({ pods: '9' }, undefined, scopes(both)),
      quotaOf({ pods: '9' }, undefined, scopes([...both, 'Terminating'])),
      quotaOf({ pods: '9' }, undefined, selects({ scopeName: 'BestEffort', operator: 'Exists' })),
      quotaOf(
        { pods: '9' },
        undefined,
        selects(
          { scopeName: 'PriorityClass', operator: 'DoesNotExist' },
          { scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] },
        ),
      ),
      quotaOf(
        { pods: '9' },
        undefined,
        selects(
          { scopeName: 'PriorityClass', operator: 'DoesNotExist' },
          { scopeName: 'PriorityClass', operator: 'Exists' },
        ),
      ),
    ].map((quota, i) => ({ ...quota, metadata: { ...quota.metadata, name: `q${i}` } }));
    const quota = limiting(...quotas);
    await quota.admit(podOf({ containers: [container()] }));
    expect(quota.used().map((each) => each?.pods)).toEqual(['1', '0', '1', '1', '0']);
  });
});
