import { type ApiObject, type JsonValue, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { autoscalerErrorsSteps } from './autoscaler-validation.ts';
import { horizontalPodAutoscalers } from './autoscalers.ts';

describe('the metrics of an autoscaler', () => {
  it('are validated with pauses if there are many', () => {
    const target = { type: 'Utilization', averageUtilization: 50 };
    const pausesOf = (count: number): number => {
      const metrics = Array.from({ length: count }, () => ({
        type: 'Resource',
        resource: { name: 'cpu', target },
      }));
      const steps = autoscalerErrorsSteps({ spec: { metrics } } as never, kubernetesVocabulary);
      for (let pauses = 0; ; pauses++) if (steps.next().done) return pauses;
    };
    expect(pausesOf(5)).toBe(0);
    expect(pausesOf(90)).toBe(1);
  });
});

describe('the behavior of an autoscaler', () => {
  const create = (policies: JsonValue): Promise<ApiObject> =>
    new InMemoryResource(horizontalPodAutoscalers(kubernetesVocabulary)).create({
      metadata: { name: 'a' },
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        behavior: { scaleUp: { policies } },
      },
    });

  it('has policies by default, but none instead of an empty list', async () => {
    expect(await create(null)).toMatchObject({
      spec: { behavior: { scaleUp: { policies: [{ type: 'Pods' }, { type: 'Percent' }] } } },
    });
    expect(await causesOf(create([]))).toEqual([
      'spec.behavior.scaleUp.policies: Required value: must specify at least one Policy',
    ]);
  });
});

describe('a metric of an autoscaler', () => {
  const cpu = { name: 'cpu', target: { type: 'Utilization', averageUtilization: 3 } };
  const pods = { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } };
  const causes = async (metric: object): Promise<readonly string[]> =>
    causesOf(
      new InMemoryResource(horizontalPodAutoscalers(kubernetesVocabulary)).create({
        metadata: { name: 'a' },
        spec: {
          maxReplicas: 3,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
          metrics: [{ ...metric }],
        },
      }),
    );

  it('has one source: others are too many beside another, a wrong one alone is not', async () => {
    expect(await causes({ type: 'Pods', resource: cpu })).toEqual([
      expect.stringMatching(/^spec\.metrics\[0\]\.pods: .*must populate information/),
    ]);
    expect(await causes({ type: 'Pods', resource: cpu, pods })).toEqual([
      expect.stringMatching(/^spec\.metrics\[0\]\.resource: .*must populate the given metric source only/),
    ]);
  });

  it('of a container names the container, and a resource that containers have', async () => {
    const of = (name: string, container: string): object => ({
      type: 'ContainerResource',
      containerResource: { ...cpu, name, container },
    });
    await expect(causes(of('cpu', 'main'))).rejects.toThrow('nothing was refused');
    await expect(causes(of('example.com/gpu', 'main'))).rejects.toThrow('nothing was refused');
    expect(await causes(of('pods', 'main'))).toEqual([
      expect.stringMatching(
        /^spec\.metrics\[0\]\.containerResource\.name: .*standard resource for containers/,
      ),
    ]);
    expect(await causes(of('speed', 'A b'))).toEqual([
      expect.stringMatching(/^spec\.metrics\[0\]\.containerResource\.name: .*fully qualified/),
      expect.stringMatching(
        /^spec\.metrics\[0\]\.containerResource\.name: .*standard resource for containers/,
      ),
      expect.stringMatching(/^spec\.metrics\[0\]\.containerResource\.container: .*RFC 1123 label/),
    ]);
  });

  it('of an unknown type may not have two sources either', async () => {
    const populated = expect.stringMatching(/: .*must populate the given metric source only/);
    const unknown = expect.stringMatching(/^spec\.metrics\[0\]\.type: Unsupported value/);
    expect(await causes({ type: 'Sum', resource: cpu, pods })).toEqual([
      unknown,
      unknown,
      populated,
      populated,
    ]);
    expect(await causes({ type: 'Sum', resource: cpu })).toEqual([unknown, unknown]);
  });
});
