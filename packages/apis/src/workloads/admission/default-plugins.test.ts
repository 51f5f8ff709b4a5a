import { type AdmissionRequest, createAdmissionChain } from '@ashlar/admission';
import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary, StatusError } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { createWorkloadAdmission } from './default-plugins.ts';

type Spec = Readonly<Record<string, unknown>>;

const named = (name: string, rest: object = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'K',
  metadata: { name },
  ...rest,
});

describe.each([kubernetesVocabulary, orchVocabulary])(
  'the plugins of workloads in vocabulary $name',
  (vocabulary) => {
    const { labelDomain } = vocabulary;
    const stored: Record<string, readonly ApiObject[]> = {
      priorityclasses: [
        named('high', { value: 10, preemptionPolicy: 'Never' }),
        named('usual', { value: 5, globalDefault: true, preemptionPolicy: 'PreemptLowerPriority' }),
        named('lower', { value: 4, globalDefault: true, preemptionPolicy: 'PreemptLowerPriority' }),
      ],
      storageclasses: ['2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'].map(
        (time, i) => ({
          ...named(`class-${3 - i}`, { allowVolumeExpansion: i === 0 }),
          metadata: {
            name: `class-${3 - i}`,
            creationTimestamp: time,
            annotations: { [`storageclass.${labelDomain}/is-default-class`]: 'true' },
          },
        }),
      ),
      runtimeclasses: [
        named('small', {
          overhead: { podFixed: { cpu: '100m' } },
          scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] },
        }),
      ],
    };
    const chain = createAdmissionChain(
      createWorkloadAdmission({
        vocabulary,
        stored: async (_, resource) => stored[resource] ?? [],
        namespace: () => undefined,
        limitRanges: () => [],
      }),
    );

    async function admitted(resource: string, spec: Spec, old?: Spec, status?: object): Promise<ApiObject> {
      const object = named('a', { spec, ...(status && { status }) });
      const request: AdmissionRequest = {
        operation: old ? 'UPDATE' : 'CREATE',
        resource: { group: '', version: 'v1', resource },
        kind: { group: '', version: 'v1', kind: 'K' },
        subresource: '',
        namespace: 'n',
        name: 'a',
        object,
        ...(old && { oldObject: named('a', { spec: old, ...(status && { status }) }) }),
        user: { name: 'u', groups: [] },
        dryRun: false,
        warn: () => {},
        annotate: () => {},
      };
      const changed = (await chain.mutate(request)) ?? object;
      await chain.validate({ ...request, object: changed });
      return changed;
    }
    const specOf = async (...of: Parameters<typeof admitted>): Promise<Spec> =>
      ((await admitted(...of)) as ApiObject & { spec: Spec }).spec;

    it('give pods the lowest default priority, or that of their class', async () => {
      expect(await specOf('pods', {})).toMatchObject({
        priorityClassName: 'lower',
        priority: 4,
        preemptionPolicy: 'PreemptLowerPriority',
      });
      expect(await specOf('pods', { priorityClassName: 'high' })).toMatchObject({
        priority: 10,
        preemptionPolicy: 'Never',
      });
      await expect(specOf('pods', { priorityClassName: 'none' })).rejects.toThrow(
        'pods "a" is forbidden: no PriorityClass with name none was found',
      );
      await expect(specOf('pods', { priorityClassName: 'high', priority: 3 })).rejects.toThrow(
        'the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 10',
      );
      await expect(
        specOf('pods', { priorityClassName: 'high', preemptionPolicy: 'PreemptLowerPriority' }),
      ).rejects.toThrow('the string value of PreemptionPolicy (PreemptLowerPriority) must not be provided');
      await expect(specOf('pods', { preemptionPolicy: '' })).rejects.toThrow(
        'the string value of PreemptionPolicy () must not be provided',
      );
    });

    it('keep the priority of pods that are updated without one', async () => {
      const before = { priority: 7, preemptionPolicy: 'Never' };
      expect(await specOf('pods', { priority: 7 }, before)).toMatchObject(before);
    });

    it('let one priority class be the default', async () => {
      const request = {
        operation: 'CREATE',
        resource: { group: groupName(vocabulary, 'scheduling.'), version: 'v1', resource: 'priorityclasses' },
        subresource: '',
        name: 'new',
        object: named('new', { globalDefault: true }),
      } as unknown as AdmissionRequest;
      const refused = await Promise.resolve(chain.validate(request)).catch((error: unknown) => error);
      expect(StatusError.is(refused, 'Forbidden') && refused.message).toContain(
        'PriorityClass lower is already marked as default. Only one default can exist',
      );
      const same = { ...request, operation: 'UPDATE', object: named('lower', { globalDefault: true }) };
      await chain.validate(same as AdmissionRequest);
    });

    it('have pods tolerate failing nodes for five minutes, unless they say how long', async () => {
      const added = (kind: string) => ({
        key: `node.${labelDomain}/${kind}`,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      });
      expect((await specOf('pods', {})).tolerations).toEqual([added('not-ready'), added('unreachable')]);
      const own = { key: `node.${labelDomain}/not-ready`, operator: 'Exists' };
      expect((await specOf('pods', { tolerations: [own] })).tolerations).toEqual([own, added('unreachable')]);
      const all = { operator: 'Exists', effect: 'NoExecute' };
      expect((await specOf('pods', { tolerations: [all] })).tolerations).toEqual([all]);
    });

    it('taint new nodes once', async () => {
      const taint = { key: `node.${labelDomain}/not-ready`, effect: 'NoSchedule' };
      expect((await specOf('nodes', {})).taints).toEqual([taint]);
      expect((await specOf('nodes', { taints: [taint] })).taints).toEqual([taint]);
    });

    it('protect volumes and claims', async () => {
      const finalizers = async (resource: string) => (await admitted(resource, {})).metadata.finalizers;
      expect(await finalizers('persistentvolumes')).toEqual([`${labelDomain}/pv-protection`]);
      expect(await finalizers('persistentvolumeclaims')).toEqual([`${labelDomain}/pvc-protection`]);
    });

    it('give claims the newest default class, of those the first by name', async () => {
      expect(await specOf('persistentvolumeclaims', {})).toEqual({ storageClassName: 'class-1' });
      expect(await specOf('persistentvolumeclaims', { storageClassName: '' })).toEqual({
        storageClassName: '',
      });
    });

    it('let bound claims grow if their class allows it', async () => {
      const claim = (storage: string, storageClassName: string): Spec => ({
        storageClassName,
        resources: { requests: { storage } },
      });
      const grow = (name: string, phase: string) =>
        specOf('persistentvolumeclaims', claim('2Gi', name), claim('1Gi', name), { phase });
      expect(await grow('class-3', 'Bound')).toEqual(claim('2Gi', 'class-3'));
      await expect(grow('class-1', 'Bound')).rejects.toThrow(
        'only dynamically provisioned pvc can be resized',
      );
      await expect(grow('class-3', 'Pending')).rejects.toThrow(
        'Only bound persistent volume claims can be expanded',
      );
    });

    it('give pods what their runtime class says', async () => {
      const spec = await specOf('pods', { runtimeClassName: 'small', nodeSelector: { c: 'd' } });
      expect(spec).toMatchObject({ overhead: { cpu: '100m' }, nodeSelector: { a: 'b', c: 'd' } });
      expect(spec.tolerations).toContainEqual({ key: 'k', operator: 'Exists' });
      const equal = await specOf('pods', { runtimeClassName: 'small', overhead: { cpu: '0.1' } });
      expect(equal.overhead).toEqual({ cpu: '100m' });
      for (const [wrong, why] of [
        [{ runtimeClassName: 'none' }, 'pod rejected: RuntimeClass "none" not found'],
        [{ runtimeClassName: 'small', overhead: { cpu: '1' } }, "Pod's Overhead doesn't match"],
        [{ overhead: { cpu: '1' } }, 'Pod Overhead set without corresponding RuntimeClass'],
        [
          { runtimeClassName: 'small', nodeSelector: { a: 'x' } },
          'conflict: runtimeClass.scheduling.nodeSelector[a] = b; pod.spec.nodeSelector[a] = x',
        ],
      ] as const)
        await expect(specOf('pods', wrong)).rejects.toThrow(why);
    });
  },
);
