import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { daemonSets } from './daemon-sets.ts';
import { deployments } from './deployments.ts';

const definition = deployments(kubernetesVocabulary);
let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(definition);
});

const deployment = (spec: JsonObject = {}, app = 'x'): JsonObject => ({
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: { app } },
    template: {
      metadata: { labels: { app } },
      spec: { containers: [{ name: 'c', image: 'nginx:1' }] },
    },
    ...spec,
  },
});

describe('deployments', () => {
  it('have no errors of their template beside those of a selector that cannot be compiled', async () => {
    const spec = { selector: { matchLabels: { app: 'b c' } }, template: { spec: { containers: [] } } };
    const broken = { metadata: { name: 'a' }, spec };
    const fields = async (type: typeof definition): Promise<unknown> =>
      (await causesOf(new InMemoryResource(type).create(broken))).map((cause) => cause.split(': ')[0]);
    expect(await fields(definition)).toEqual(['spec.selector.matchLabels', 'spec.selector']);
    expect(await fields(daemonSets(kubernetesVocabulary))).toEqual([
      'spec.selector.matchLabels',
      'spec.template.spec.containers',
    ]);
  });

  it('have zeros instead of defaults in parameters of a rolling update that is not theirs, as daemon sets have', async () => {
    const updateStrategy = { type: 'OnDelete', rollingUpdate: {} };
    const stored = await new InMemoryResource(daemonSets(kubernetesVocabulary)).create(
      deployment({ updateStrategy }),
    );
    expect(stored).toMatchObject({
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } } },
    });
  });

  it('are defaulted when they are stored', async () => {
    expect(await resource.create(deployment())).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        replicas: 1,
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: { spec: { restartPolicy: 'Always' } },
      },
      status: {},
    });
  });

  it('increment the generation for changes of their spec or annotations only', async () => {
    await resource.create(deployment());
    const generation = async (change: (object: JsonObject) => JsonObject, part?: string): Promise<unknown> =>
      (await resource.change('a', change, part)).metadata.generation;
    const meta = (key: string) => (object: JsonObject) => ({
      ...object,
      metadata: { ...(object.metadata as JsonObject), [key]: { k: 'v' } },
    });
    const spec = (replicas: number) => (object: JsonObject) => ({
      ...object,
      spec: { ...(object.spec as JsonObject), replicas },
    });
    expect(await generation(spec(1))).toBe(1);
    expect(await generation(spec(3))).toBe(2);
    expect(await generation(meta('labels'))).toBe(2);
    expect(await generation(meta('annotations'))).toBe(3);
    expect(await generation((object) => ({ ...object, status: { replicas: 3 } }), 'status')).toBe(3);
  });

  it('show their progress', async () => {
    await resource.create(deployment({ replicas: 3 }));
    const status = { replicas: 3, readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 };
    const changed = await resource.change('a', (object) => ({ ...object, status }), 'status');
    expect(resource.cells(changed)).toEqual(['a', '2/3', 3, 1, '90s', 'c', 'nginx:1', 'app=x']);
  });

  it('have an immutable selector', async () => {
    await resource.create(deployment());
    expect(await causesOf(resource.replace('a', deployment({}, 'y')))).toEqual([
      'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string{"app":"y"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: field is immutable',
    ]);
  });

  it.each([
    [
      { template: { metadata: { labels: { app: 'y' } } } },
      'map[string]string{"app":"y"}: `selector` does not match template `labels`',
    ],
    [{ strategy: { type: 'Recreate', rollingUpdate: {} } }, 'may not be specified when strategy `type`'],
    [
      { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } },
      'may not be 0 when `maxSurge` is 0',
    ],
    [{ replicas: -1 }, 'must be greater than or equal to 0'],
    [{ progressDeadlineSeconds: 5, minReadySeconds: 5 }, 'must be greater than minReadySeconds'],
  ])('%j is rejected', async (spec, why) => {
    expect(await causesOf(resource.create(deployment(spec)))).toContainEqual(expect.stringContaining(why));
  });

  it('that were rolled back say to which revision', async () => {
    const key = 'deprecated.deployment.rollback.to';
    const rolledBack = (to: string): JsonObject => ({
      ...deployment(),
      metadata: { name: 'a', annotations: { [key]: to, other: 'x' } },
    });
    await expect(resource.create(rolledBack('x'))).rejects.toThrow(
      `Deployment in version "v1" cannot be handled as a Deployment: failed to parse annotation[${key}]=x as int64: strconv.ParseInt: parsing "x": invalid syntax`,
    );
    const { metadata } = await resource.create(rolledBack('+05'));
    expect(metadata.annotations).toEqual({ [key]: '5', other: 'x' });
    expect(await causesOf(resource.replace('a', rolledBack('-1')))).toEqual([
      'spec.rollback.version: Invalid value: -1: must be greater than or equal to 0',
    ]);
    const changed = await resource.replace('a', rolledBack(''));
    expect(changed.metadata.annotations).toEqual({ other: 'x' });
  });

  it('are scaled', async () => {
    const stored = await resource.create(deployment({ replicas: 2 }));
    const [scale] = definition.views ?? [];
    expect(scale?.view(stored)).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 2 },
      status: { replicas: 0, selector: 'app=x' },
    });
    expect(scale?.merge({ ...stored, spec: {} }, stored)).toMatchObject({ spec: { replicas: 0 } });
    expect(scale?.validate({ ...stored, spec: { replicas: -1 } })).toHaveLength(1);
  });
});
