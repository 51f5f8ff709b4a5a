import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { pods } from './pods.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(pods(kubernetesVocabulary));
});

const pod = (spec: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

const withResources = (resources: JsonObject): JsonObject =>
  pod({ containers: [{ name: 'c', image: 'nginx', resources }] });

describe('pods', () => {
  it('may bring their quality of service, and nothing else of their status', async () => {
    const { status } = await resource.create({
      ...pod(),
      status: { phase: 'Running', qosClass: 'Guaranteed' },
    });
    expect(status).toEqual({ phase: 'Pending', qosClass: 'Guaranteed' });
  });

  it('end at once where their time to end is negative', async () => {
    const stored = await resource.create(pod({ terminationGracePeriodSeconds: -5 }));
    expect(stored.spec).toMatchObject({ terminationGracePeriodSeconds: 1 });
    expect(resource.warnings).toEqual([]);
  });

  it('are defaulted when they are stored', async () => {
    const stored = await resource.create(pod());
    expect(stored).toMatchObject({
      spec: {
        containers: [{ imagePullPolicy: 'Always', terminationMessagePath: '/dev/termination-log' }],
        dnsPolicy: 'ClusterFirst',
        restartPolicy: 'Always',
        schedulerName: 'default-scheduler',
        securityContext: {},
        terminationGracePeriodSeconds: 30,
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  it('begin with a status of their own, but for a class that is sent', async () => {
    const status = { phase: 'Running', qosClass: 'Burstable', nominatedNodeName: 'n' };
    expect((await resource.create({ ...pod(), status })).status).toEqual({
      phase: 'Pending',
      qosClass: 'Burstable',
    });
  });

  it.each([
    [{}, 'BestEffort'],
    [{ requests: { cpu: '0' } }, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m' } }, 'Guaranteed'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
  ])('with %j are %s', async (resources, qosClass) => {
    expect(await resource.create(withResources(resources))).toMatchObject({ status: { qosClass } });
  });

  it('that are mirror pods require a node, and stay mirror pods', async () => {
    const field = 'metadata.annotations[kubernetes.io/config.mirror]';
    const mirroring = (name: string, spec: JsonObject): JsonObject => ({
      ...pod(spec),
      metadata: { name, annotations: { 'kubernetes.io/config.mirror': 'x' } },
    });
    const annotated = (annotations: JsonObject) => (stored: JsonObject) => ({
      ...stored,
      metadata: { ...(stored.metadata as JsonObject), annotations },
    });
    expect(await causesOf(resource.create(mirroring('a', {})))).toEqual([
      `${field}: Invalid value: "x": must set spec.nodeName if mirror pod annotation is set`,
    ]);
    await resource.create(mirroring('a', { nodeName: 'n' }));
    for (const annotations of [{ 'kubernetes.io/config.mirror': 'y' }, {}])
      expect(await causesOf(resource.change('a', annotated(annotations)))).toEqual([
        `${field}: Forbidden: may not remove or update mirror pod annotation`,
      ]);
    expect(await causesOf(resource.change('a', annotated({}), 'status'))).toEqual([
      `${field}: Forbidden: may not remove or update mirror pod annotation`,
    ]);
    await resource.create({ ...pod({ nodeName: 'n' }), metadata: { name: 'b' } });
    const begins = resource.change('b', annotated({ 'kubernetes.io/config.mirror': 'x' }));
    expect(await causesOf(begins)).toEqual([`${field}: Forbidden: may not add mirror pod annotation`]);
  });

  it('have requests that default to limits', async () => {
    const stored = await resource.create(withResources({ limits: { cpu: '1', memory: '1Gi' } }));
    expect(stored).toMatchObject({
      spec: { containers: [{ resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
    });
  });

  it('wait at scheduling gates', async () => {
    const stored = await resource.create(pod({ schedulingGates: [{ name: 'example.com/quota' }] }));
    expect(stored).toMatchObject({ status: { conditions: [{ reason: 'SchedulingGated' }] } });
    expect(resource.cells(stored).slice(0, 5)).toEqual(['a', '0/1', 'SchedulingGated', '0', '90s']);
    await expect(resource.act('binding', 'a', { target: { kind: 'Node', name: 'n' } })).rejects.toMatchObject(
      { status: { code: 409 } },
    );
  });

  it('report missing resources', async () => {
    const refused = resource.create({
      metadata: { name: 'a' },
      spec: { containers: [{ image: 'x' }, { name: 'C', image: 'x', ports: [{ containerPort: 0 }] }] },
    });
    expect((await causesOf(refused)).map((text) => text.slice(0, text.indexOf(': ')))).toEqual([
      'spec.containers[0].name',
      'spec.containers[1].name',
      'spec.containers[1].ports[0].containerPort',
    ]);
  });

  it('allow new images, and hardly any other change', async () => {
    await resource.create(pod());
    const image = (value: string) => (stored: JsonObject) => {
      const { containers, ...spec } = stored.spec as JsonObject;
      const [first] = containers as readonly JsonObject[];
      return { ...stored, spec: { ...spec, containers: [{ ...first, image: value }] } };
    };
    expect(await resource.change('a', image('nginx:2'))).toMatchObject({
      spec: { containers: [{ image: 'nginx:2' }] },
    });
    const moved = resource.change('a', (stored) => ({
      ...stored,
      spec: { ...(stored.spec as JsonObject), hostname: 'b' },
    }));
    expect(await causesOf(moved)).toEqual([
      expect.stringContaining('spec: Forbidden: pod updates may not change fields other than'),
    ]);
  });

  it('are selected by node, phase and network', async () => {
    await resource.create(pod({ nodeName: 'n', hostNetwork: true }));
    expect(await resource.select('spec.nodeName=n,status.phase=Pending,spec.hostNetwork=true')).toEqual([
      'a',
    ]);
    expect(await resource.select('spec.nodeName!=n')).toEqual([]);
  });

  it('are deleted immediately without a node, and gracefully with one', async () => {
    await resource.create(pod());
    expect((await resource.delete('a')).removed).toBe(true);
    await resource.create(pod({ nodeName: 'n' }));
    const { object, removed } = await resource.delete('a');
    expect(removed).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionGracePeriodSeconds: 30,
      deletionTimestamp: '2024-01-02T03:04:35Z',
    });
    expect(resource.cells(object)[2]).toBe('Terminating');
    expect((await resource.delete('a', { gracePeriodSeconds: 0 })).removed).toBe(true);
  });

  it('have a status subresource', async () => {
    await resource.create(pod());
    const running = { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] };
    const changed = await resource.replace('a', { ...pod({ hostname: 'b' }), status: running }, 'status');
    expect(changed).toMatchObject({ status: { ...running, qosClass: 'BestEffort' } });
    expect(changed.spec).not.toHaveProperty('hostname');
    expect(await resource.replace('a', pod())).toMatchObject({ status: running });
    expect(await resource.select('status.podIP=10.0.0.1')).toEqual(['a']);
  });
});

describe('a status with fields of features that are off by default', () => {
  const disabled = { user: { linux: { uid: 0, gid: 0 } }, resources: {}, allocatedResourcesStatus: [] };
  const started = { name: 'c', image: 'i', imageID: '', ready: true, restartCount: 0 };
  const containerStatuses = [{ ...started, ...disabled, allocatedResources: { cpu: '1' } }];

  it.each(['', 'ephemeralcontainers'])('keeps them until the pod is written at "%s"', async (subresource) => {
    await resource.create(pod());
    const status = { phase: 'Running', resize: 'Proposed', containerStatuses };
    const kept = await resource.replace('a', { ...pod(), status }, 'status');
    expect(kept.status).toMatchObject({ resize: 'Proposed', containerStatuses: [{ user: disabled.user }] });
    const dropped = await resource.replace('a', pod(), subresource);
    expect(dropped.status).toMatchObject({ phase: 'Running' });
    expect(dropped.status).not.toHaveProperty('resize');
    expect((dropped.status as JsonObject).containerStatuses).toEqual([
      { ...started, lastState: {}, state: {} },
    ]);
  });
});

describe('pods/ephemeralcontainers', () => {
  it('adds containers that nobody owns', async () => {
    const { metadata } = await resource.create(pod());
    const body = { ...pod({ ephemeralContainers: [{ name: 'd', image: 'shell' }] }) };
    const changed = await resource.replace('a', body, 'ephemeralcontainers');
    expect(changed.spec).toMatchObject({ ephemeralContainers: [{ name: 'd' }] });
    expect(changed.metadata.managedFields).toEqual(metadata.managedFields);
  });

  it('prints them where the type has them, behind the other containers', async () => {
    await resource.create(pod());
    const body = pod({ ephemeralContainers: [{ name: 'd', image: 'shell' }] });
    const { spec } = await resource.replace('a', body, 'ephemeralcontainers');
    expect(Object.keys(spec as object).slice(0, 3)).toEqual([
      'containers',
      'ephemeralContainers',
      'restartPolicy',
    ]);
  });
});

describe('pods/binding', () => {
  const binding = { target: { kind: 'Node', name: 'n' }, metadata: { name: 'a', annotations: { k: 'v' } } };

  it('assigns a pod to a node, once', async () => {
    await resource.create(pod());
    expect(await resource.act('binding', 'a', binding)).toMatchObject({ status: 'Success', code: 201 });
    expect(await resource.get('a')).toMatchObject({
      metadata: { annotations: { k: 'v' } },
      spec: { nodeName: 'n' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
    await expect(resource.act('binding', 'a', binding)).rejects.toThrow('already assigned to node "n"');
  });

  it("requires a node, and checks the pod's uid", async () => {
    await resource.create(pod());
    await expect(resource.act('binding', 'a', {})).rejects.toThrow('target.name: Required value');
    const other = { ...binding, metadata: { name: 'a', uid: 'other' } };
    await expect(resource.act('binding', 'a', other)).rejects.toThrow('Precondition failed');
    const misnamed = { ...binding, metadata: { name: 'b' } };
    await expect(resource.act('binding', 'a', misnamed)).rejects.toMatchObject({ status: { code: 400 } });
  });
});
