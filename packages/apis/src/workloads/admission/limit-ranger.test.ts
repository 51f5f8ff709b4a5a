import { type ApiObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { podOf, underTest } from './admission.fixture.ts';
import { createLimitRanger } from './limit-ranger.ts';

const limitRange = (...limits: readonly object[]): ApiObject =>
  ({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits } }) as ApiObject;

const limiter = (vocabulary: typeof orchVocabulary, ...limits: readonly object[]) =>
  underTest(
    createLimitRanger({
      vocabulary,
      stored: async () => [],
      namespace: () => undefined,
      limitRanges: () => [limitRange(...limits)],
    }),
  );

const container = (name: string, resources?: object) => ({ name, ...(resources && { resources }) });

describe.each([kubernetesVocabulary, orchVocabulary])('limits in vocabulary $name', (vocabulary) => {
  const defaults = { type: 'Container', default: { cpu: '2', memory: '1Gi' }, defaultRequest: { cpu: '1' } };

  it('give containers what they do not say, and note it', async () => {
    const spec = { containers: [container('c', { limits: { cpu: '3' } })], initContainers: [container('i')] };
    const pod = await limiter(vocabulary, defaults).admit(podOf(spec));
    expect(pod).toMatchObject({
      metadata: {
        annotations: {
          [`${vocabulary.labelDomain}/limit-ranger`]:
            'LimitRanger plugin set: cpu request for container c; memory limit for container c; cpu request for init container i; cpu, memory limit for init container i',
        },
      },
      spec: {
        containers: [{ resources: { limits: { cpu: '3', memory: '1Gi' }, requests: { cpu: '1' } } }],
        initContainers: [{ resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } }],
      },
    });
  });

  it('leave complete pods, their updates and those that are being deleted as they are', async () => {
    const bound = { type: 'Container', max: { cpu: '1' } };
    const complete = podOf({ containers: [container('c', { limits: { cpu: '1' } })] });
    expect(await limiter(vocabulary, bound).admit(complete)).toBe(complete);
    const large = podOf({ containers: [container('c', { limits: { cpu: '2' } })] });
    await limiter(vocabulary, bound).admit(large, { operation: 'UPDATE', oldObject: large });
    const resize = { operation: 'UPDATE', subresource: 'resize' } as const;
    await expect(limiter(vocabulary, bound).admit(large, { ...resize, oldObject: large })).rejects.toThrow(
      'maximum cpu usage per Container is 1, but limit is 2',
    );
    const oldObject = podOf({}, { deletionTimestamp: '2024-01-01T00:00:00Z' });
    await limiter(vocabulary, bound).admit(large, { ...resize, oldObject });
  });

  it.each([
    [{ min: { cpu: '1' } }, {}, 'minimum cpu usage per Container is 1.  No request is specified'],
    [
      { min: { cpu: '1' } },
      { requests: { cpu: '500m' } },
      'minimum cpu usage per Container is 1, but request is 500m',
    ],
    [
      { min: { cpu: '1' } },
      { requests: { cpu: '1' }, limits: { cpu: '999m' } },
      'minimum cpu usage per Container is 1, but limit is 999m',
    ],
    [{ max: { cpu: '1' } }, {}, 'maximum cpu usage per Container is 1.  No limit is specified'],
    [
      { max: { cpu: '1' } },
      { limits: { cpu: '1' }, requests: { cpu: '2' } },
      'maximum cpu usage per Container is 1, but request is 2',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no request is specified or request is 0',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '0' }, requests: { cpu: '1' } },
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
    [
      { maxLimitRequestRatio: { cpu: '2' } },
      { limits: { cpu: '1' }, requests: { cpu: '300m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.333333',
    ],
  ])('%j refuse %j', async (bounds, resources, why) => {
    const pod = podOf({ containers: [container('c', resources), container('d', resources)] });
    await expect(limiter(vocabulary, { type: 'Container', ...bounds }).admit(pod)).rejects.toThrow(
      `pods "a" is forbidden: ${why}`,
    );
  });

  it('of pods count their containers together, or the largest init container', async () => {
    const of = (cpu: string, more: object = {}) => ({ ...container('c', { limits: { cpu } }), ...more });
    const spec = {
      containers: [of('1'), of('1')],
      initContainers: [of('3'), of('1', { restartPolicy: 'Always' }), of('4')],
    };
    const bound = (cpu: string) => limiter(vocabulary, { type: 'Pod', max: { cpu } });
    await bound('5').admit(podOf(spec));
    await expect(bound('4').admit(podOf(spec))).rejects.toThrow(
      'maximum cpu usage per Pod is 4, but limit is 5',
    );
  });

  it('of claims count their requests', async () => {
    const claim = podOf({ resources: { requests: { storage: '3Gi' } } });
    const resource = { group: '', version: 'v1', resource: 'persistentvolumeclaims' };
    const bound = {
      type: 'PersistentVolumeClaim',
      min: { storage: '4Gi', other: '1' },
      max: { storage: '2Gi' },
    };
    await expect(limiter(vocabulary, bound).admit(claim, { resource })).rejects.toThrow(
      'persistentvolumeclaims "a" is forbidden: [minimum other usage per PersistentVolumeClaim is 1.  No request is specified, minimum storage usage per PersistentVolumeClaim is 4Gi, but request is 3Gi, maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi]',
    );
  });

  it('compare amounts whose thousandths do not fit into 64 bits', async () => {
    const huge = podOf({ containers: [container('c', { limits: { x: '9000000000000000001' } })] });
    const bound = (x: string) => limiter(vocabulary, { type: 'Container', max: { x } });
    await bound('9000000000000000001').admit(huge);
    await expect(bound('9000000000000000000').admit(huge)).rejects.toThrow('maximum x usage');
  });

  describe('that multiply', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, '1']));
    const pod = podOf({ containers: Array.from({ length: 1000 }, (_, i) => container(`c${i}`)) });

    it.each([
      [{ min: many(1000) }, 'need more than 50000 comparisons'],
      [{ default: many(11) }, 'would set more than 10000 amounts'],
    ])('refuse a pod', async (bounds, why) => {
      await expect(limiter(vocabulary, { type: 'Container', ...bounds }).admit(pod)).rejects.toThrow(
        `pods "a" is forbidden: the limit ranges of its namespace ${why}`,
      );
    });

    it('say equal problems of containers once', async () => {
      await expect(limiter(vocabulary, { type: 'Container', max: many(2) }).admit(pod)).rejects.toThrow(
        'pods "a" is forbidden: [maximum x0 usage per Container is 1.  No limit is specified, maximum x1 usage per Container is 1.  No limit is specified]',
      );
    });

    it('are compared with pauses', async () => {
      let pauses = 0;
      let now = 0;
      const turns = { requestBegan() {}, atEndOfTurn() {}, pause: async () => void pauses++ };
      const plugin = createLimitRanger({
        vocabulary,
        ambient: { turns, clock: { ...createSteppedClock(), monotonic: () => (now += 20) } },
        stored: async () => [],
        namespace: () => undefined,
        limitRanges: () => [limitRange({ type: 'Container', default: { x: '1' }, max: { x: '1' } })],
      });
      const large = podOf({ containers: Array.from({ length: 5000 }, (_, i) => container(`c${i}`)) });
      const { spec } = (await underTest(plugin).admit(large)) as { spec?: { containers?: unknown[] } };
      expect(spec?.containers?.[4999]).toMatchObject({ resources: { limits: { x: '1' } } });
      expect(pauses).toBeGreaterThan(4);
    });
  });
});
