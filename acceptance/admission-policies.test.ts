import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  workloadResources,
} from '@ashlar/apis/workloads';
import type { Client, ResourceClient } from '@ashlar/client';
import {
  type ApiObject,
  groupName,
  kubernetesVocabulary,
  orchVocabulary,
  type StatusCause,
  StatusError,
} from '@ashlar/core';
import type { ConnectRequest } from '@ashlar/http';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createApiServer } from '@ashlar/server';
import { createTestServer } from '@ashlar/testing';
import { describe, expect, it } from 'vitest';
import { settled } from './owned-objects.fixture.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('policies, in the words of $name', (vocabulary) => {
  const group = groupName(vocabulary, 'admissionregistration.');
  const start = () =>
    createApiServer({
      vocabulary,
      controllers: false,
      resources: [
        ...workloadResources(vocabulary),
        mutatingAdmissionPolicies(vocabulary),
        mutatingAdmissionPolicyBindings(vocabulary),
      ],
      featureGates: parseFeatureGates('MutatingAdmissionPolicy=true'),
      runtimeConfig: new Map([[`${group}/v1alpha1`, true]]),
    });
  const mapsOf = (client: Client): ResourceClient =>
    client
      .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
      .namespace('default');
  const policies = (client: Client, kind: string, version: string): ResourceClient =>
    client.resource({
      ...{ group, version, kind },
      resource: `${kind.toLowerCase().replace(/policy$/, 'policie')}s`,
    });
  const forDeployments = {
    resourceRules: [
      {
        apiGroups: ['apps'],
        apiVersions: ['v1'],
        operations: ['CREATE', 'UPDATE'],
        resources: ['deployments'],
      },
    ],
  };
  const bind = async (client: Client, kind: string, version: string, spec: object): Promise<void> => {
    await policies(client, kind, version).create({ metadata: { name: 'p' }, spec });
    const actions = kind.startsWith('Validating') ? { validationActions: ['Deny'] } : {};
    await policies(client, `${kind}Binding`, version).create({
      metadata: { name: 'b' },
      spec: { policyName: 'p', ...actions },
    });
  };
  const deploymentsOf = (client: Client): ResourceClient =>
    client
      .resource({ group: 'apps', version: 'v1', resource: 'deployments', kind: 'Deployment' })
      .namespace('default');
  const deployment = (image: string) => ({
    metadata: { name: 'd' },
    spec: {
      selector: { matchLabels: { app: 'd' } },
      template: {
        metadata: { labels: { app: 'd' } },
        spec: { containers: [{ name: 'c', image, args: ['x'] }] },
      },
    },
  });

  it('deny writes on the server that stores them, and on its forks, until they are gone', async () => {
    await using server = start();
    await server.ready;
    const expression = "object.spec.template.spec.containers.all(c, c.image.contains(':'))";
    const messageExpression = "'images need a tag: ' + object.spec.template.spec.containers[0].image";
    await bind(server.client, 'ValidatingAdmissionPolicy', 'v1', {
      matchConstraints: forDeployments,
      validations: [{ expression, messageExpression }],
    });
    await using fork = server.fork();
    for (const { client } of [server, fork]) {
      await expect(deploymentsOf(client).create(deployment('nginx'))).rejects.toMatchObject({
        code: 422,
        message: `deployments.apps "d" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: images need a tag: nginx`,
      });
      await deploymentsOf(client).create(deployment('nginx:1'));
      await mapsOf(client).create({ metadata: { name: 'other' } });
    }
    await policies(fork.client, 'ValidatingAdmissionPolicy', 'v1').delete('p');
    await deploymentsOf(fork.client).patch('d', {
      type: 'merge',
      patch: { spec: { template: { spec: { containers: [{ name: 'c', image: 'nginx' }] } } } },
    });
  });

  it('explain denials to administrators, if they are to', async () => {
    await using server = createApiServer({
      ...{ vocabulary, controllers: false, resources: workloadResources(vocabulary) },
      explainDenials: true,
    });
    await server.ready;
    await bind(server.client, 'ValidatingAdmissionPolicy', 'v1', {
      matchConstraints: forDeployments,
      validations: [{ expression: 'object.spec.replicas > 1' }],
    });
    const causesFor = async (client: Client): Promise<readonly StatusCause[]> => {
      const denied = await deploymentsOf(client)
        .create(deployment('x'))
        .catch((error: unknown) => error);
      return (StatusError.is(denied) && denied.details?.causes) || [];
    };
    expect((await causesFor(server.client)).slice(1)).toMatchObject([
      { reason: 'AdmissionPolicy', message: 'policy "p" with binding "b"' },
      {
        ...{ reason: 'AdmissionExpression', field: 'spec.validations[0].expression' },
        message: expect.stringContaining('object.spec.replicas > 1 => false, cost '),
      },
      { reason: 'AdmissionPlugin', message: 'ValidatingAdmissionPolicy' },
    ]);
    expect(await causesFor(server.clientAs({ name: 'anna', groups: ['dev'] }))).toHaveLength(1);
  });

  it('admit connections by their options, which webhooks and hosts see, too', async () => {
    const connected: ConnectRequest[] = [];
    await using server = createApiServer({
      ...{ vocabulary, controllers: false, resources: workloadResources(vocabulary) },
      async connect(request) {
        connected.push(request);
        return { status: 200, headers: {} };
      },
      admission: [
        {
          name: 'Container',
          handles: ({ operation, subresource }) => operation === 'CONNECT' && subresource === 'exec',
          admit: ({ object }) => ({ ...object, container: 'main', unknown: 1 }) as unknown as ApiObject,
        },
      ],
    });
    await server.ready;
    const resources = ['pods/*', 'services/proxy', 'nodes/proxy'];
    await bind(server.client, 'ValidatingAdmissionPolicy', 'v1', {
      matchConstraints: {
        resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CONNECT'], resources }],
      },
      validations: [
        {
          expression: "has(object.container) && object.container == 'main' && object.command == ['ls', '-l']",
          messageExpression: "request.kind.kind + ' ' + (has(object.path) ? object.path : '')",
        },
      ],
    });
    const ask = async (path: string) => {
      const response = await server.fetch(new Request(`http://localhost/api/v1/${path}`));
      return [response.status, (await response.text()).match(/denied request: ([^"]*)"/)?.[1]];
    };
    const pod = 'namespaces/default/pods/p';
    expect(await ask(`${pod}/exec?command=ls&command=-l&stdin=1&tty=false`)).toEqual([200, undefined]);
    expect(connected.map(({ options }) => options)).toEqual([
      { kind: 'PodExecOptions', apiVersion: 'v1', stdin: true, container: 'main', command: ['ls', '-l'] },
    ]);
    expect(await ask(`${pod}/exec`)).toEqual([422, 'PodExecOptions']);
    expect(await ask(`${pod}/proxy/a/b/?c=d`)).toEqual([422, 'PodProxyOptions /a/b/']);
    expect(await ask('nodes/n/proxy/x')).toEqual([422, 'NodeProxyOptions /x']);
    expect(await ask(`${pod}/portforward?ports=80,x`)).toEqual([400, undefined]);
    expect(await ask(`${pod}/exec?dryRun=All`)).toEqual([400, undefined]);
    expect(await ask(`${pod}/log`)).toEqual([200, undefined]);
  });

  it('say in their status what is wrong with them for the kinds that they match', async () => {
    await using server = await createTestServer({ vocabulary, resources: workloadResources(vocabulary) });
    const stored = policies(server.client, 'ValidatingAdmissionPolicy', 'v1');
    const statusOf = async () => (await stored.get('p')).status as { typeChecking?: object } | undefined;
    await stored.create({
      metadata: { name: 'p' },
      spec: {
        matchConstraints: forDeployments,
        variables: [{ name: 'wanted', expression: 'object.spec.replicas' }],
        validations: [
          { expression: 'variables.wanted > 1' },
          { expression: "object.spec.replica == 'x'", messageExpression: "'is ' + object.metadata.name" },
        ],
      },
    });
    await settled(server, async () => (await statusOf())?.typeChecking !== undefined);
    expect(await statusOf()).toMatchObject({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: 'spec.validations[1].expression',
            warning: expect.stringMatching(
              /^apps\/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replica'/,
            ),
          },
        ],
      },
    });
    const validations = [{ expression: 'object.spec.replicas > 1' }];
    await stored.patch('p', { type: 'merge', patch: { spec: { validations } } });
    await settled(server, async () => JSON.stringify(await statusOf()).includes('"observedGeneration":2'));
    expect((await statusOf())?.typeChecking).toEqual({});
  });

  it('change objects as an apply does: items of lists by their names', async () => {
    await using server = start();
    await server.ready;
    const expression = `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
      containers: [Object.spec.template.spec.containers{name: 'c', imagePullPolicy: 'Always'},
                   Object.spec.template.spec.containers{name: 'side', image: 'proxy:1'}]}}}}`;
    await bind(server.client, 'MutatingAdmissionPolicy', 'v1alpha1', {
      matchConstraints: forDeployments,
      reinvocationPolicy: 'Never',
      mutations: [
        { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
        {
          patchType: 'JSONPatch',
          jsonPatch: { expression: "[JSONPatch{op: 'replace', path: '/spec/replicas', value: 3}]" },
        },
      ],
    });
    const made = await deploymentsOf(server.client).create(deployment('nginx:1'));
    expect(made).toMatchObject({
      spec: {
        replicas: 3,
        template: {
          spec: {
            containers: [
              { name: 'c', image: 'nginx:1', imagePullPolicy: 'Always', args: ['x'] },
              { name: 'side', image: 'proxy:1', imagePullPolicy: 'IfNotPresent' },
            ],
          },
        },
      },
    });
  });

  it('cannot replace what is owned as one', async () => {
    await using server = start();
    await server.ready;
    const expression = `Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{
      containers: [Object.spec.template.spec.containers{name: 'c', args: ['y']}]}}}}`;
    await bind(server.client, 'MutatingAdmissionPolicy', 'v1alpha1', {
      matchConstraints: forDeployments,
      reinvocationPolicy: 'Never',
      mutations: [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }],
    });
    await expect(deploymentsOf(server.client).create(deployment('nginx:1'))).rejects.toThrow(
      /may not mutate atomic arrays, maps or structs: \.spec\.template\.spec\.containers\[0\]\.args$/,
    );
  });
});
