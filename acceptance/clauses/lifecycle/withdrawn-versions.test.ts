import type { JsonObject } from '@ashlar/core';
import { findWithdrawn } from '@ashlar/lifecycle';
import { expect, it } from 'vitest';
import { forEachVocabulary } from './withdrawn-rows.fixture.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
const selecting = { selector: { matchLabels: { app: 'a' } }, template };
const always = { rule: 'RunAsAny' };
const policySpec = { seLinux: always, runAsUser: always, fsGroup: always, supplementalGroups: always };
const FLOW = 'flowcontrol.apiserver.';

forEachVocabulary('Withdrawn versions', ({ vocabulary, ask, named, isWithdrawn }) => {
  const level = (name: string, shares: JsonObject): JsonObject => ({
    metadata: { name },
    spec: { type: 'Limited', limited: { ...shares, limitResponse: { type: 'Reject' } } },
  });
  const flow = { spec: { priorityLevelConfiguration: { name: 'a' }, matchingPrecedence: 500 } };

  it('L090: objects that were stored remain readable in the version that replaces theirs', async () => {
    await isWithdrawn({
      ...{ release: '1.25', from: 'batch/v1beta1', to: 'batch/v1', plural: 'cronjobs', namespaced: true },
      object: {
        spec: {
          schedule: '* * * * *',
          jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
        },
      },
      becomes: { spec: expect.objectContaining({ schedule: '* * * * *' }) },
    });
  });

  it('L091: in v1.32 flow control lost v1beta3; shares of 0 stay 0', async () => {
    const row = { release: '1.32', from: `${FLOW}/v1beta3`, to: `${FLOW}/v1` };
    await isWithdrawn({ ...row, plural: 'flowschemas', object: flow });
    const levels = { ...row, plural: 'prioritylevelconfigurations' };
    await isWithdrawn({
      ...levels,
      object: level('default', {}),
      becomes: {
        spec: expect.objectContaining({ limited: expect.objectContaining({ nominalConcurrencyShares: 30 }) }),
      },
    });
    const made = await ask(
      '1.32',
      `/apis/${named(`${FLOW}/v1`)}/prioritylevelconfigurations`,
      level('zero', { nominalConcurrencyShares: 0 }),
    );
    expect(made.body).toMatchObject({ spec: { limited: { nominalConcurrencyShares: 0 } } });
  });

  it('L092: in v1.29 flow control lost v1beta2, whose shares have another name', async () => {
    const row = { release: '1.29', from: `${FLOW}/v1beta2`, to: `${FLOW}/v1beta3` };
    // v1 appeared in the release that removed v1beta2
    const released = await ask(
      '1.28',
      `/apis/${named(row.from)}/prioritylevelconfigurations`,
      level('b', { assuredConcurrencyShares: 7 }),
    );
    expect(released.status).toBe(201);
    expect((await ask('1.28', `/apis/${named(row.to)}/prioritylevelconfigurations/b`)).body).toMatchObject({
      spec: { limited: { nominalConcurrencyShares: 7 } },
    });
    await isWithdrawn({ ...row, plural: 'flowschemas', object: flow });
  });

  it('L093: in v1.27 storage lost v1beta1 of CSIStorageCapacity', async () => {
    await isWithdrawn({
      ...{
        release: '1.27',
        from: 'storage./v1beta1',
        to: 'storage./v1',
        plural: 'csistoragecapacities',
        namespaced: true,
      },
      object: { storageClassName: 'a' },
    });
  });

  it('L094: in v1.26 flow control lost v1beta1', async () => {
    const row = { release: '1.26', from: `${FLOW}/v1beta1`, to: `${FLOW}/v1beta2` };
    await isWithdrawn({ ...row, plural: 'flowschemas', object: flow });
    await isWithdrawn({ ...row, plural: 'prioritylevelconfigurations', object: level('c', {}) });
  });

  const autoscaler = (metrics: readonly JsonObject[]): JsonObject => ({
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' }, maxReplicas: 3, metrics },
  });
  const utilization = [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
  ];

  it('L095: in v1.26 autoscaling lost v2beta2', async () => {
    await isWithdrawn({
      ...{
        release: '1.26',
        from: 'autoscaling/v2beta2',
        to: 'autoscaling/v2',
        plural: 'horizontalpodautoscalers',
      },
      ...{
        namespaced: true,
        object: autoscaler(utilization),
        becomes: { spec: expect.objectContaining({ metrics: utilization }) },
      },
    });
  });

  it('L096: in v1.25 batch lost v1beta1 of CronJob', async () => {
    await isWithdrawn({
      ...{ release: '1.25', from: 'batch/v1beta1', to: 'batch/v1', plural: 'cronjobs', namespaced: true },
      object: {
        spec: {
          schedule: '@hourly',
          jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
        },
      },
    });
  });

  it('L097: in v1.25 discovery lost v1beta1; endpoints have a node and a zone instead of a topology', async () => {
    const { labelDomain } = vocabulary;
    await isWithdrawn({
      ...{
        release: '1.25',
        from: 'discovery./v1beta1',
        to: 'discovery./v1',
        plural: 'endpointslices',
        namespaced: true,
      },
      object: {
        addressType: 'IPv4',
        endpoints: [
          {
            addresses: ['10.0.0.1'],
            nodeName: 'n',
            topology: { [`topology.${labelDomain}/zone`]: 'z', rack: '1' },
          },
        ],
      },
      becomes: {
        endpoints: [expect.objectContaining({ nodeName: 'n', zone: 'z', deprecatedTopology: { rack: '1' } })],
      },
    });
  });

  it('L098: in v1.25 events lost v1beta1; new events need a time, an action, a reason and who reports', async () => {
    const event = {
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'Pulled',
      deprecatedCount: 2,
    };
    await isWithdrawn({
      ...{ release: '1.25', from: 'events./v1beta1', to: 'events./v1', plural: 'events', namespaced: true },
      ...{
        object: event,
        becomes: { regarding: expect.objectContaining({ name: 'p' }), deprecatedCount: 2 },
      },
    });
    const path = `/apis/${named('events./v1')}/namespaces/default/events`;
    const refused = await ask('1.25', path, { ...event, metadata: { name: 'new' } });
    expect(refused).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('eventTime: Required value') },
    });
    expect(refused.body.message).toContain('count: Invalid value: "": needs to be unset');
  });

  it('L099: in v1.25 autoscaling lost v2beta1, whose targets are fields of the source', async () => {
    await isWithdrawn({
      ...{
        release: '1.25',
        from: 'autoscaling/v2beta1',
        to: 'autoscaling/v2',
        plural: 'horizontalpodautoscalers',
      },
      ...{ namespaced: true, becomes: { spec: expect.objectContaining({ metrics: utilization }) } },
      object: autoscaler([{ type: 'Resource', resource: { name: 'cpu', targetAverageUtilization: 60 } }]),
    });
  });

  it('L100: in v1.25 policy lost v1beta1 of PodDisruptionBudget, whose empty selector selects nothing', async () => {
    const key = `pdb.${vocabulary.labelDomain}/deprecated-v1beta1-empty-selector-match`;
    const row = {
      release: '1.25',
      from: 'policy/v1beta1',
      to: 'policy/v1',
      plural: 'poddisruptionbudgets',
      namespaced: true,
    };
    await isWithdrawn({
      ...row,
      object: { spec: { selector: {} } },
      becomes: { spec: { selector: { matchExpressions: [{ key, operator: 'Exists' }] } } },
    });
    await isWithdrawn({ ...row, object: { spec: {} }, becomes: { spec: {} } });
  });

  it('L101: in v1.25 policy lost PodSecurityPolicy, which nothing replaces', async () => {
    const path = '/apis/policy/v1beta1/podsecuritypolicies';
    expect((await ask('1.24', path, { metadata: { name: 'a' }, spec: policySpec })).status).toBe(201);
    expect((await ask('1.25', path)).status).toBe(404);
    const manifest = { apiVersion: 'policy/v1beta1', kind: 'PodSecurityPolicy', metadata: { name: 'a' } };
    const [finding] = findWithdrawn([manifest], { target: '1.25', vocabulary });
    expect(finding).toMatchObject({ finding: 'withdrawn', changes: [expect.stringContaining('admission')] });
    expect(finding?.replacement).toBeUndefined();
  });

  it('L102: in v1.25 node lost v1beta1 of RuntimeClass', async () => {
    const row = { release: '1.25', from: 'node./v1beta1', to: 'node./v1', plural: 'runtimeclasses' };
    await isWithdrawn({ ...row, object: { handler: 'a' }, becomes: { handler: 'a' } });
  });

  it('L103: in v1.22 admissionregistration lost v1beta1, which has other defaults and fewer rules', async () => {
    const webhooks = [{ name: 'a.example.com', clientConfig: { url: 'https://127.0.0.1:1' } }];
    const row = { release: '1.22', from: 'admissionregistration./v1beta1', to: 'admissionregistration./v1' };
    for (const plural of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) {
      const before = {
        failurePolicy: 'Ignore',
        matchPolicy: 'Exact',
        timeoutSeconds: 30,
        sideEffects: 'Unknown',
      };
      await isWithdrawn({
        ...row,
        plural,
        object: { webhooks },
        becomes: { webhooks: [expect.objectContaining(before)] },
      });
      const path = `/apis/${named(row.to)}/${plural}`;
      const complete = [{ ...webhooks[0], sideEffects: 'None', admissionReviewVersions: ['v1'] }];
      const now = { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10 };
      const made = await ask('1.22', path, { metadata: { name: plural }, webhooks: complete });
      expect(made.body).toMatchObject({ webhooks: [now] });
      const refused = await ask('1.22', path, {
        metadata: { name: 'no' },
        webhooks: [...webhooks, ...webhooks],
      });
      for (const cause of [
        '[0].sideEffects: Required',
        '[0].admissionReviewVersions: Required',
        '[1].name: Duplicate',
      ])
        expect(refused.body.message).toContain(`webhooks${cause}`);
    }
  });

  it('L104: in v1.22 apiextensions lost v1beta1, in which versions share what stands at the top', async () => {
    const plural = 'customresourcedefinitions';
    const names = { plural: 'things', kind: 'Thing' };
    const row = { release: '1.22', from: 'apiextensions./v1beta1', to: 'apiextensions./v1', plural };
    const column = { name: 'A', type: 'string' };
    await isWithdrawn({
      ...row,
      object: {
        metadata: { name: 'things.example.com' },
        spec: {
          ...{ group: 'example.com', names, version: 'v1', preserveUnknownFields: false },
          ...{ validation: { openAPIV3Schema: { type: 'object' } }, subresources: { status: {} } },
          additionalPrinterColumns: [{ ...column, JSONPath: '.spec.a' }],
        },
      },
      becomes: {
        spec: expect.objectContaining({
          scope: 'Namespaced',
          versions: [
            {
              ...{ name: 'v1', served: true, storage: true, subresources: { status: {} } },
              schema: { openAPIV3Schema: { type: 'object' } },
              additionalPrinterColumns: [{ ...column, jsonPath: '.spec.a' }],
            },
          ],
        }),
      },
    });
    const version = { name: 'v1', served: true, storage: true };
    const refused = await ask('1.22', `/apis/${named(row.to)}/${plural}`, {
      metadata: { name: 'others.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'others', kind: 'Other' },
        versions: [version],
        preserveUnknownFields: true,
      },
    });
    for (const cause of [
      'spec.scope: Required',
      'schemas are required',
      'spec.preserveUnknownFields: Invalid',
    ])
      expect(refused.body.message).toContain(cause);
  });

  it('L105: in v1.22 apiregistration lost v1beta1 of APIService', async () => {
    await isWithdrawn({
      ...{
        release: '1.22',
        from: 'apiregistration./v1beta1',
        to: 'apiregistration./v1',
        plural: 'apiservices',
      },
      object: {
        metadata: { name: 'v1.aggregated.example.com' },
        spec: {
          ...{
            group: 'aggregated.example.com',
            version: 'v1',
            groupPriorityMinimum: 10,
            versionPriority: 10,
          },
          ...{ service: { name: 'a', namespace: 'default' }, insecureSkipTLSVerify: true },
        },
      },
      becomes: { spec: expect.objectContaining({ service: { name: 'a', namespace: 'default', port: 443 } }) },
    });
  });

  it('L106: in v1.22 authentication lost v1beta1 of TokenReview', async () => {
    const row = { release: '1.22', from: 'authentication./v1beta1', to: 'authentication./v1' };
    await isWithdrawn({ ...row, plural: 'tokenreviews', isReview: true, object: { spec: { token: 'a' } } });
  });

  it('L107: in v1.22 authorization lost v1beta1, in which groups have another name', async () => {
    const row = { release: '1.22', from: 'authorization./v1beta1', to: 'authorization./v1', isReview: true };
    const resourceAttributes = { verb: 'get', resource: 'pods', namespace: 'default' };
    await isWithdrawn({
      ...row,
      plural: 'selfsubjectaccessreviews',
      object: { spec: { resourceAttributes } },
    });
    await isWithdrawn({
      ...row,
      plural: 'selfsubjectrulesreviews',
      object: { spec: { namespace: 'default' } },
    });
    await isWithdrawn({
      ...row,
      plural: 'subjectaccessreviews',
      object: { spec: { resourceAttributes, group: ['a'] } },
    });
    await isWithdrawn({
      ...{ ...row, plural: 'localsubjectaccessreviews', namespaced: true },
      object: { spec: { resourceAttributes, group: ['a'] } },
    });
    const path = `/apis/${named(row.to)}/subjectaccessreviews`;
    expect((await ask('1.22', path, { spec: { resourceAttributes, groups: ['a'] } })).status).toBe(201);
    expect((await ask('1.22', path, { spec: { resourceAttributes, group: ['a'] } })).status).toBe(422);
  });

  it('L108: in v1.22 certificates lost v1beta1, in which signer and usages have defaults', async () => {
    const request =
      'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlHZE1GRUNBUUF3SGpFTU1Bb0dBMVVFQ2hNRFpHVjJNUTR3REFZRFZRUURFd1ZoYkdsalpUQXFNQVVHQXl0bApjQU1oQU5ZdkFXb2UvUjVQMzNrK3RDellSSEhodXA4TThFMFNoN1hNY2ZZV0tIeTRvQUF3QlFZREsyVndBMEVBClBGZWY2bjZZYnJKVVRGbWxMZTBqMHFZWlF5dDBacnZqSGFNd1pGcUJodDRMMXhkY3dlaVZ0VlZLL3dMc2tjMjYKM0o5VU8vQXNoQnZQMGpZalkrblNCQT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo=';
    const row = { release: '1.22', from: 'certificates./v1beta1', to: 'certificates./v1' };
    const plural = 'certificatesigningrequests';
    const legacy = `${vocabulary.labelDomain}/legacy-unknown`;
    const usages = ['digital signature', 'key encipherment'];
    await isWithdrawn({
      ...{ ...row, plural, object: { spec: { request } } },
      becomes: { spec: expect.objectContaining({ signerName: legacy, usages }) },
    });
    const post = (spec: JsonObject) =>
      ask('1.22', `/apis/${named(row.to)}/${plural}`, {
        metadata: { name: 'new' },
        spec: { request, ...spec },
      });
    const missing = (await post({})).body.message;
    for (const field of ['signerName', 'usages']) expect(missing).toContain(`spec.${field}: Required value`);
    const wrong = (await post({ signerName: legacy, usages: ['client auth', 'client auth', 'none'] })).body
      .message;
    for (const cause of [
      'the legacy signerName is not allowed',
      'spec.usages[1]: Duplicate',
      'spec.usages[2]: Unsupported',
    ])
      expect(wrong).toContain(cause);
  });

  it('L109: in v1.22 coordination lost v1beta1 of Lease', async () => {
    const row = { release: '1.22', from: 'coordination./v1beta1', to: 'coordination./v1', plural: 'leases' };
    await isWithdrawn({
      ...row,
      namespaced: true,
      object: { spec: { holderIdentity: 'a' } },
      becomes: { spec: { holderIdentity: 'a' } },
    });
  });

  it('L110: in v1.22 extensions and networking lost v1beta1 of Ingress, whose backends name services otherwise', async () => {
    const paths = [
      { path: '/a', backend: { serviceName: 'a', servicePort: 80 } },
      { path: '/b', pathType: 'Prefix', backend: { serviceName: 'b', servicePort: 'http' } },
    ];
    for (const from of ['extensions/v1beta1', 'networking./v1beta1'])
      await isWithdrawn({
        ...{ release: '1.22', from, to: 'networking./v1', plural: 'ingresses', namespaced: true },
        object: { spec: { backend: { serviceName: 'c', servicePort: 1 }, rules: [{ http: { paths } }] } },
        becomes: {
          spec: {
            defaultBackend: { service: { name: 'c', port: { number: 1 } } },
            rules: [
              {
                http: {
                  paths: [
                    {
                      ...{ path: '/a', pathType: 'ImplementationSpecific' },
                      backend: { service: { name: 'a', port: { number: 80 } } },
                    },
                    {
                      path: '/b',
                      pathType: 'Prefix',
                      backend: { service: { name: 'b', port: { name: 'http' } } },
                    },
                  ],
                },
              },
            ],
          },
        },
      });
    const refused = await ask('1.22', `/apis/${named('networking./v1')}/namespaces/default/ingresses`, {
      metadata: { name: 'no' },
      spec: { rules: [{ http: { paths: [{ path: '/' }] } }] },
    });
    expect(refused.body.message).toContain('pathType: Required value: pathType must be specified');
  });

  it('L111: in v1.22 networking lost v1beta1 of IngressClass', async () => {
    const row = {
      release: '1.22',
      from: 'networking./v1beta1',
      to: 'networking./v1',
      plural: 'ingressclasses',
    };
    await isWithdrawn({
      ...row,
      object: { spec: { controller: 'example.com/a' } },
      becomes: { spec: { controller: 'example.com/a' } },
    });
  });

  it('L112: in v1.22 authorization by roles lost v1beta1', async () => {
    const row = { release: '1.22', from: 'rbac.authorization./v1beta1', to: 'rbac.authorization./v1' };
    const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
    const roleRef = {
      apiGroup: named('rbac.authorization./v1').split('/')[0] as string,
      kind: 'ClusterRole',
      name: 'a',
    };
    await isWithdrawn({ ...row, plural: 'clusterroles', object: { rules }, becomes: { rules } });
    await isWithdrawn({ ...row, plural: 'roles', namespaced: true, object: { rules }, becomes: { rules } });
    await isWithdrawn({ ...row, plural: 'clusterrolebindings', object: { roleRef }, becomes: { roleRef } });
    await isWithdrawn({
      ...row,
      plural: 'rolebindings',
      namespaced: true,
      object: { roleRef },
      becomes: { roleRef },
    });
  });

  it('L113: in v1.22 scheduling lost v1beta1 of PriorityClass', async () => {
    const row = {
      release: '1.22',
      from: 'scheduling./v1beta1',
      to: 'scheduling./v1',
      plural: 'priorityclasses',
    };
    await isWithdrawn({ ...row, object: { value: 5 }, becomes: { value: 5 } });
  });

  it('L114: in v1.22 storage lost v1beta1 of CSIDriver, CSINode, StorageClass and VolumeAttachment', async () => {
    const row = { release: '1.22', from: 'storage./v1beta1', to: 'storage./v1' };
    await isWithdrawn({ ...row, plural: 'csidrivers', object: { spec: {} } });
    await isWithdrawn({ ...row, plural: 'csinodes', object: { spec: { drivers: [] } } });
    await isWithdrawn({ ...row, plural: 'storageclasses', object: { provisioner: 'example.com/a' } });
    await isWithdrawn({
      ...{ ...row, plural: 'volumeattachments' },
      object: { spec: { attacher: 'a', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
    });
  });

  it('L115: in v1.16 extensions lost NetworkPolicy', async () => {
    await isWithdrawn({
      ...{ release: '1.16', from: 'extensions/v1beta1', to: 'networking./v1', plural: 'networkpolicies' },
      ...{
        namespaced: true,
        object: { spec: { podSelector: {} } },
        becomes: { spec: expect.objectContaining({ policyTypes: ['Ingress'] }) },
      },
    });
  });

  const apps = (from: string, plural: string, spec: JsonObject, becomes: unknown) =>
    isWithdrawn({
      ...{ release: '1.16', from, to: 'apps/v1', plural, namespaced: true, object: { spec } },
      becomes: { spec: expect.objectContaining(becomes as object) },
    });
  const requiresSelector = async (plural: string): Promise<void> => {
    const post = (spec: JsonObject) =>
      ask('1.16', `/apis/apps/v1/namespaces/default/${plural}`, { metadata: { name: 'selecting' }, spec });
    expect((await post({ serviceName: 's', template })).body.message).toContain('selector');
    const made = await post({ serviceName: 's', ...selecting });
    expect(made.status).toBe(201);
    const changed = {
      ...made.body,
      spec: { ...(made.body.spec as JsonObject), selector: { matchLabels: { app: 'b' } } },
    };
    const path = `/apis/apps/v1/namespaces/default/${plural}/selecting`;
    expect((await ask('1.16', path, changed, 'PUT')).status).toBe(422);
  };

  it('L116: in v1.16 extensions and apps/v1beta2 lost DaemonSet, which was updated on deletion only', async () => {
    const strategy = (type: string) => ({ updateStrategy: expect.objectContaining({ type }) });
    await apps('extensions/v1beta1', 'daemonsets', { template, templateGeneration: 5 }, strategy('OnDelete'));
    await apps('apps/v1beta2', 'daemonsets', selecting, strategy('RollingUpdate'));
    await requiresSelector('daemonsets');
  });

  it('L117: in v1.16 extensions, apps/v1beta1 and apps/v1beta2 lost Deployment, which had other defaults', async () => {
    const most = 2_147_483_647;
    const rolling = (amount: number | string) => ({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: amount, maxUnavailable: amount },
    });
    const limits = (
      revisionHistoryLimit: number,
      progressDeadlineSeconds: number,
      amount: number | string,
    ) => ({
      ...{ revisionHistoryLimit, progressDeadlineSeconds, strategy: rolling(amount) },
    });
    await apps(
      'extensions/v1beta1',
      'deployments',
      { template, rollbackTo: { revision: 1 } },
      limits(most, most, 1),
    );
    await apps('apps/v1beta1', 'deployments', { template }, limits(2, 600, '25%'));
    await apps('apps/v1beta2', 'deployments', selecting, limits(10, 600, '25%'));
    await requiresSelector('deployments');
  });

  it('L118: in v1.16 apps/v1beta1 and apps/v1beta2 lost StatefulSet, which was updated on deletion only', async () => {
    const strategy = (type: string) => ({ updateStrategy: expect.objectContaining({ type }) });
    await apps('apps/v1beta1', 'statefulsets', { serviceName: 's', template }, strategy('OnDelete'));
    await apps('apps/v1beta2', 'statefulsets', { serviceName: 's', ...selecting }, strategy('RollingUpdate'));
    await requiresSelector('statefulsets');
  });

  it('L119: in v1.16 extensions and apps/v1beta2 lost ReplicaSet', async () => {
    await apps(
      'extensions/v1beta1',
      'replicasets',
      { template },
      { selector: { matchLabels: { app: 'a' } } },
    );
    await apps('apps/v1beta2', 'replicasets', selecting, { selector: { matchLabels: { app: 'a' } } });
    await requiresSelector('replicasets');
  });

  it('L120: in v1.16 extensions lost PodSecurityPolicy, which policy then had until v1.25', async () => {
    const row = {
      release: '1.16',
      from: 'extensions/v1beta1',
      to: 'policy/v1beta1',
      plural: 'podsecuritypolicies',
    };
    await isWithdrawn({ ...row, object: { spec: policySpec } });
    expect((await ask('1.24', '/apis/policy/v1beta1/podsecuritypolicies')).status).toBe(200);
    expect((await ask('1.25', '/apis/policy/v1beta1/podsecuritypolicies')).status).toBe(404);
  });
});
