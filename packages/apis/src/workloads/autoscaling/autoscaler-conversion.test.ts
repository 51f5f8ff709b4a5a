import { type ApiObject, kubernetesVocabulary } from '@ashlar/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { autoscalerConversion } from './autoscaler-conversion.ts';
import type { Metric } from './autoscaler-types.ts';
import { horizontalPodAutoscalers } from './autoscalers.ts';

const { toNew, toOld } = autoscalerConversion(kubernetesVocabulary);
const PREFIX = 'autoscaling.alpha.kubernetes.io';

const autoscaler = (version: string, spec: object, status: object = {}): ApiObject => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { maxReplicas: 3, ...spec },
  status,
});

const amount = fc.integer({ min: 1, max: 99 }).map(String);
const metric: fc.Arbitrary<Metric> = fc.oneof(
  fc.record({
    type: fc.constant('Pods'),
    pods: fc.record({
      metric: fc.record({ name: fc.constant('m') }),
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
    }),
  }),
  fc.record({
    type: fc.constant('External'),
    external: fc.record({
      metric: fc.record({ name: fc.constant('e'), selector: fc.constant({ matchLabels: { a: 'b' } }) }),
      target: fc.record({ type: fc.constant('Value'), value: amount }),
    }),
  }),
  fc.record({
    type: fc.constant('Object'),
    object: fc.record({
      describedObject: fc.constant({ kind: 'K', name: 'n' }),
      target: fc.record({ type: fc.constant('Value'), value: amount }),
      metric: fc.record({ name: fc.constant('o') }),
    }),
  }),
  fc.record({
    type: fc.constant('ContainerResource'),
    containerResource: fc.record({
      name: fc.constant('cpu'),
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
      container: fc.constant('c'),
    }),
  }),
  fc.record({
    type: fc.constant('Resource'),
    resource: fc.record({
      name: fc.constant('memory'),
      target: fc.record({ type: fc.constant('AverageValue'), averageValue: amount }),
    }),
  }),
);

describe('autoscalers of both versions', () => {
  it('preserve every metric in both directions, with its members in the order in which they are printed', () => {
    fc.assert(
      fc.property(fc.array(metric, { minLength: 1, maxLength: 4 }), (metrics) => {
        const object = autoscaler('v2', { metrics }, { desiredReplicas: 1, currentMetrics: null });
        expect(toNew(toOld(object))).toEqual(object);
        expect(JSON.stringify(toNew(toOld(object)).spec)).toBe(JSON.stringify(object.spec));
      }),
    );
  });

  it('have the CPU utilization in a field of the older version', () => {
    const old = autoscaler('v1', { targetCPUUtilizationPercentage: 44 });
    expect(toNew(old).spec).toMatchObject({
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 44 } },
        },
      ],
    });
    expect(toOld(toNew(old)).spec).toEqual(old.spec);
  });

  it('use CPU by default', () => {
    expect(toOld(toNew(autoscaler('v1', {}))).spec).toMatchObject({ targetCPUUtilizationPercentage: 80 });
  });

  it('preserve in annotations what the older version has no field for', () => {
    const behavior = {
      scaleUp: { stabilizationWindowSeconds: 3, policies: [{ type: 'Pods', value: 1, periodSeconds: 2 }] },
    };
    const conditions = [{ type: 'AbleToScale', status: 'True' }];
    const object = autoscaler(
      'v2',
      { metrics: [], behavior },
      { desiredReplicas: 0, currentMetrics: null, conditions },
    );
    const old = toOld(object);
    expect(Object.keys(old.metadata.annotations ?? {})).toEqual([
      `${PREFIX}/behavior`,
      `${PREFIX}/conditions`,
    ]);
    expect(JSON.parse(old.metadata.annotations?.[`${PREFIX}/behavior`] ?? '').ScaleUp.Policies).toEqual([
      { Type: 'Pods', Value: 1, PeriodSeconds: 2 },
    ]);
    expect(toNew(old)).toMatchObject({ spec: { behavior }, status: { conditions } });
    expect(toNew(old).metadata).toEqual({ name: 'a' });
  });

  it('ignore annotations that are not JSON', () => {
    const old = {
      ...autoscaler('v1', {}),
      metadata: { name: 'a', annotations: { [`${PREFIX}/metrics`]: '{', x: 'y' } },
    };
    expect(toNew(old).metadata.annotations).toEqual({ x: 'y' });
  });
});

describe('annotations of an autoscaler', () => {
  const read = (name: string, text: string): ApiObject =>
    toNew({ ...autoscaler('v1', {}), metadata: { name: 'a', annotations: { [`${PREFIX}/${name}`]: text } } });
  const byDefault = toNew({ ...autoscaler('v1', {}), metadata: { name: 'a' } });
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;

  it.each([
    ['metrics', '{}'],
    ['metrics', '[] x'],
    ['metrics', '[{"type":"Resource","resource":5}]'],
    ['metrics', '[{"type":7}]'],
    ['metrics', '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"five"}}]'],
    ['metrics', `[{"type":"Pods","pods":{"metricName":${deep}}}]`],
    ['current-metrics', '[{"type":"Resource","resource":{"currentAverageValue":{}}}]'],
    ['conditions', '[1,"x"]'],
    ['conditions', '[{"type":"AbleToScale","lastTransitionTime":"bad"}]'],
    ['conditions', deep],
    ['behavior', '{"ScaleUp":[1]}'],
    ['behavior', '{"ScaleUp":{"Policies":5}}'],
    ['behavior', '{"ScaleUp":{"StabilizationWindowSeconds":5.5}}'],
    ['behavior', `{"ScaleUp":${deep}}`],
    ['behavior', '{}'],
    ['behavior', 'null'],
  ])('are ignored as a whole where a part is not of its type: %s, %s', (name, text) => {
    expect(read(name, text)).toEqual(byDefault);
  });

  it('are read with names in any case, without unknown members', () => {
    const metrics = '[{"TYPE":"Pods","x":1,"PODS":{"metricname":"m","targetaveragevalue":"5"}}]';
    expect(read('metrics', metrics).spec).toMatchObject({
      metrics: [
        {
          type: 'Pods',
          pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } },
        },
      ],
    });
    const behavior = '{"scaleup":{"stabilizationWindowSeconds":5,"policies":[{"type":"Pods","VALUE":3}]}}';
    expect(read('behavior', behavior).spec).toMatchObject({
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 5,
          policies: [{ type: 'Pods', value: 3, periodSeconds: 0 }],
        },
      },
    });
  });

  it.each([
    ['long', `[${' '.repeat(262_144)}]`],
    ['of many objects', `[${Array.from({ length: 4_001 }, () => '{}').join()}]`],
  ])('are refused where they are %s', (_, text) => {
    const v1 = horizontalPodAutoscalers(kubernetesVocabulary).versions.find(({ name }) => name === 'v1');
    for (const name of ['metrics', 'current-metrics', 'conditions', 'behavior']) {
      const metadata = { name: 'a', annotations: { [`${PREFIX}/${name}`]: text } };
      expect(() => v1?.complete?.({ ...autoscaler('v1', {}), metadata })).toThrow('Request entity too large');
    }
  });

  it('are not read again where they were printed, however many metrics they have', () => {
    const target = { type: 'AverageValue', averageValue: '1' };
    const metric = { describedObject: { kind: 'K', name: 'n' }, metric: { name: 'm' }, target };
    const metrics = Array.from({ length: 9_000 }, () => ({ type: 'Object', object: metric }));
    const old = toOld(autoscaler('v2', { metrics }));
    expect(toNew(old).spec).toMatchObject({ metrics });
    const { strategy } = horizontalPodAutoscalers(kubernetesVocabulary);
    const next = toOld(autoscaler('v2', {}));
    expect(strategy.prepareForUpdate?.(next, old, 'v1')).toMatchObject({ apiVersion: 'autoscaling/v1' });
  });

  it('have the defaults of behavior once they are stored', () => {
    const { strategy } = horizontalPodAutoscalers(kubernetesVocabulary);
    const sent = toOld(read('behavior', '{"ScaleUp":{"StabilizationWindowSeconds":5}}'));
    const stored = strategy.completeStored?.(sent, undefined) ?? sent;
    expect(toNew(stored).spec).toMatchObject({
      behavior: { scaleUp: { selectPolicy: 'Max' }, scaleDown: { policies: [{ value: 100 }] } },
    });
  });
});

describe('an autoscaler of version v1', () => {
  const { strategy } = horizontalPodAutoscalers(kubernetesVocabulary);
  const seen = toOld(
    toNew(
      autoscaler('v1', {}, { currentReplicas: 1, desiredReplicas: 1, currentCPUUtilizationPercentage: 9 }),
    ),
  );

  it('has its current metrics in an annotation', () => {
    expect(seen.metadata.annotations).toHaveProperty([`${PREFIX}/current-metrics`]);
  });

  it('loses that annotation with the status that only its subresource writes', () => {
    const bare = toOld(toNew(autoscaler('v1', {})));
    for (const prepared of [
      strategy.prepareForCreate?.(seen, undefined, 'v1'),
      strategy.prepareForUpdate?.(seen, bare, 'v1'),
    ]) {
      expect(prepared?.metadata.annotations).toBeUndefined();
      expect(prepared?.status).not.toHaveProperty('currentCPUUtilizationPercentage');
    }
    expect(strategy.prepareForUpdate?.(bare, seen, 'v1')).toEqual(seen);
  });
});
