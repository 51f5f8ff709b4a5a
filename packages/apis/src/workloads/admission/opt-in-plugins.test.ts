import type { AdmissionPlugin } from '@ashlar/admission';
import { type ApiObject, groupName, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { createCountedList } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { podOf, underTest } from './admission.fixture.ts';
import { createAlwaysPullImages } from './always-pull-images.ts';
import { createDefaultIngressClass } from './default-ingress-class.ts';
import { createPodNodeSelector } from './pod-node-selector.ts';
import {
  createAntiAffinityLimit,
  createExtendedResourceToleration,
  createExternalAddressDenial,
} from './pod-restrictions.ts';
import { createPodTolerationRestriction } from './pod-toleration-restriction.ts';

describe.each([kubernetesVocabulary, orchVocabulary])('in vocabulary $name', (vocabulary) => {
  const { labelDomain } = vocabulary;
  const annotated = (annotations: Readonly<Record<string, string>>): ApiObject => ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'n', annotations },
  });

  it('images are pulled always', async () => {
    const always = underTest(createAlwaysPullImages());
    const container = { name: 'c', image: 'i', imagePullPolicy: 'Never' };
    const pod = podOf({
      containers: [container],
      initContainers: [container],
      volumes: [{ image: { reference: 'r' } }],
    });
    const pulled = { ...container, imagePullPolicy: 'Always' };
    expect(await always.admit(pod)).toMatchObject({
      spec: {
        containers: [pulled],
        initContainers: [pulled],
        volumes: [{ image: { reference: 'r', pullPolicy: 'Always' } }],
      },
    });
    expect(await always.admit(pod, { operation: 'UPDATE', oldObject: pod })).toBe(pod);
    const added = podOf({ ephemeralContainers: [container] });
    const adding = { operation: 'UPDATE', oldObject: pod, subresource: 'ephemeralcontainers' } as const;
    expect(await always.admit(added, adding)).toBe(added);
    const { validate } = createAlwaysPullImages();
    const request = { resource: { group: '', version: 'v1', resource: 'pods' }, name: 'a', object: pod };
    expect(() => validate?.(request as unknown as Parameters<NonNullable<typeof validate>>[0])).toThrow(
      'pods "a" is forbidden: spec.initContainers[0].imagePullPolicy: Unsupported value: "Never": supported values: "Always"',
    );
  });

  it('pods keep others off their node only', async () => {
    const limited = underTest(createAntiAffinityLimit(vocabulary));
    const apart = (topologyKey: string): ApiObject =>
      podOf({
        affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } },
      });
    await limited.admit(apart(`${labelDomain}/hostname`));
    await expect(limited.admit(apart('zone'))).rejects.toThrow(
      `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey zone but only key ${labelDomain}/hostname is allowed`,
    );
  });

  it('pods tolerate nodes with the resources that they request', async () => {
    const tolerant = underTest(createExtendedResourceToleration(vocabulary));
    const requests = { 'example.com/gpu': '1', cpu: '1', 'requests.example.com/x': '1' };
    const pod = podOf({ containers: [{ name: 'c', resources: { requests } }] });
    const added = { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' };
    const changed = await tolerant.admit(pod);
    expect(changed).toMatchObject({ spec: { tolerations: [added] } });
    expect(await tolerant.admit(changed)).toBe(changed);
  });

  it('services keep their external addresses, and get no others', async () => {
    const denying = underTest(createExternalAddressDenial());
    const services = { resource: { group: '', version: 'v1', resource: 'services' } };
    const of = (...externalIPs: readonly string[]) => podOf({ externalIPs });
    await denying.admit(of(), services);
    await expect(denying.admit(of('1.2.3.4'), services)).rejects.toThrow(
      'services "a" is forbidden: Use of external IPs is denied by admission control',
    );
    const update = { ...services, operation: 'UPDATE', oldObject: of('1.2.3.4', '1.2.3.5') } as const;
    await denying.admit(of('1.2.3.5'), update);
    await expect(denying.admit(of('1.2.3.5', '1.2.3.6'), update)).rejects.toThrow('Use of external IPs');
    const many = Array.from({ length: 1_000 }, (_, i) => `1.2.3.${i}`);
    const { list: externalIPs, reads } = createCountedList(many);
    await denying.admit(of(...many), { ...update, oldObject: podOf({ externalIPs }) });
    expect(reads()).toBeLessThan(many.length * 20);
  });

  it('pods run on the nodes of their namespace', async () => {
    const selecting = (annotation: string | undefined, selectors = {}) => {
      const key = `scheduler.alpha.${labelDomain}/node-selector`;
      const namespace = () => annotated(annotation === undefined ? {} : { [key]: annotation });
      return underTest(createPodNodeSelector({ vocabulary, selectors, namespace }));
    };
    expect(await selecting('a=b, c=d').admit(podOf({ nodeSelector: { e: 'f' } }))).toMatchObject({
      spec: { nodeSelector: { a: 'b', c: 'd', e: 'f' } },
    });
    expect(await selecting('a=b').admit(podOf({ nodeSelector: { toString: 'c' } }))).toMatchObject({
      spec: { nodeSelector: { a: 'b', toString: 'c' } },
    });
    await expect(selecting('a=b').admit(podOf({ nodeSelector: { a: 'c' } }))).rejects.toThrow(
      'pod node label selector conflicts with its namespace node label selector',
    );
    await expect(selecting('a=b,c').admit(podOf({}))).rejects.toThrow('invalid selector: [c]');
    await expect(selecting('a=b=c').admit(podOf({}))).rejects.toThrow('invalid selector: [a b c]');
    const selectors = { clusterDefaultNodeSelector: 'x=y', n: 'x=y' };
    expect(await selecting(undefined, selectors).admit(podOf({}))).toMatchObject({
      spec: { nodeSelector: { x: 'y' } },
    });
    await expect(selecting('a=b', selectors).admit(podOf({}))).rejects.toThrow(
      'pod node label selector labels conflict with its namespace whitelist',
    );
  });

  it('pods tolerate what their namespace says, and no more than it allows', async () => {
    const [wide, narrow] = [
      { key: 'k', operator: 'Exists' },
      { key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' },
    ];
    const restricting = (annotations: Readonly<Record<string, object>>, defaults: readonly object[] = []) => {
      const named = Object.entries(annotations).map(([name, value]) => [
        `scheduler.alpha.${labelDomain}/${name}`,
        JSON.stringify(value),
      ]);
      const namespace = () => annotated(Object.fromEntries(named));
      return underTest(createPodTolerationRestriction({ vocabulary, defaults, namespace }));
    };
    const given = restricting({ defaultTolerations: [narrow] });
    expect(await given.admit(podOf({}))).toMatchObject({ spec: { tolerations: [narrow] } });
    const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
    const pressure = { key: `node.${labelDomain}/memory-pressure`, operator: 'Exists', effect: 'NoSchedule' };
    expect(await restricting({}, [narrow]).admit(podOf({ containers }))).toMatchObject({
      spec: { tolerations: [narrow, pressure] },
    });
    const strict = restricting({ tolerationsWhitelist: [narrow] });
    await strict.admit(podOf({ tolerations: [narrow] }));
    await expect(strict.admit(podOf({ tolerations: [wide] }))).rejects.toThrow(
      'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    );
  });

  const toleration = { key: 'k', operator: 'Exists' };
  const defaultTolerations = `scheduler.alpha.${labelDomain}/defaultTolerations`;

  it.each<[object, readonly object[] | undefined]>([
    [{}, [toleration]],
    [{ annotations: {} }, [toleration]],
    [{ annotations: { other: '[]' } }, [toleration]],
    [{ annotations: { [defaultTolerations]: '' } }, undefined],
    [{ annotations: { [defaultTolerations]: 'null' } }, undefined],
  ])(
    'pods of a namespace with %j tolerate %j by the configuration of the plugin',
    async (metadata, tolerations) => {
      const namespace = () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', ...metadata } });
      const options = { vocabulary, defaults: [toleration], namespace };
      const { spec } = await underTest(createPodTolerationRestriction(options)).admit(podOf({}));
      expect(spec).toEqual(tolerations ? { tolerations } : {});
    },
  );

  it('pods tolerate a lack of memory unless they are of the best effort, by the class that they are sent with', async () => {
    const restricting = underTest(
      createPodTolerationRestriction({ vocabulary, namespace: () => annotated({}) }),
    );
    const tolerationsOf = async (pod: ApiObject) => (await restricting.admit(pod)).spec;
    const containers = [{ name: 'c', resources: { requests: { cpu: '1' } } }];
    const sent = (spec: object, qosClass: string): ApiObject => ({ ...podOf(spec), status: { qosClass } });
    expect(await tolerationsOf(sent({ containers }, 'BestEffort'))).toEqual({ containers });
    expect(await tolerationsOf(sent({}, 'Burstable'))).toMatchObject({ tolerations: [{}] });
  });

  it.each([
    '{}',
    `[${'{},'.repeat(4_000)}{}]`,
    '[1]',
    '[{"key":5}]',
    '[{"tolerationSeconds":"x"}]',
    '[[]]',
    '{',
  ])('refuses pods of a namespace whose annotation is not a list of tolerations: %s', async (text) => {
    const annotations = { [`scheduler.alpha.${labelDomain}/defaultTolerations`]: text };
    const namespace = () => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', annotations } });
    const restricting = underTest(createPodTolerationRestriction({ vocabulary, namespace }));
    await expect(restricting.admit(podOf({}))).rejects.toMatchObject({ status: { code: 500 } });
  });

  it.each([
    ['none', "invalid character 'o' in literal null (expecting 'u')"],
    ['{}', 'json: cannot unmarshal object into Go value of type []v1.Toleration'],
  ])('says why the annotation %s cannot be read', async (text, message) => {
    const annotations = { [`scheduler.alpha.${labelDomain}/defaultTolerations`]: text };
    const restricting = underTest(
      createPodTolerationRestriction({ vocabulary, namespace: () => annotated(annotations) }),
    );
    await expect(restricting.admit(podOf({}))).rejects.toThrow(message);
  });

  it.each([
    createPodNodeSelector({ vocabulary, selectors: { n: 'a=b' }, namespace: () => annotated({}) }),
    createPodTolerationRestriction({
      ...{ vocabulary, namespace: () => annotated({}) },
      allowed: [{ key: 'k', operator: 'Exists' }],
    }),
  ])('$name refuses pods before the plugins behind it see them', async (plugin) => {
    const seen: unknown[] = [];
    const behind: AdmissionPlugin = {
      ...{ name: 'Behind', handles: () => true },
      admit: ({ object }) => void seen.push(object),
    };
    const restricted = underTest(plugin, behind);
    const refused = podOf({ nodeSelector: { a: 'c' }, tolerations: [{ key: 'other', operator: 'Exists' }] });
    await expect(restricted.admit(refused)).rejects.toThrow('whitelist');
    expect(seen).toEqual([]);
    await restricted.admit(
      podOf({ nodeSelector: { a: 'b' }, tolerations: [{ key: 'k', operator: 'Exists' }] }),
    );
    expect(seen).toHaveLength(1);
  });

  it('ingresses get the newest default class', async () => {
    const isDefault = { [`ingressclass.${labelDomain}/is-default-class`]: 'true' };
    const classOf = (name: string, creationTimestamp: string, annotations = isDefault): ApiObject => ({
      apiVersion: 'v1',
      kind: 'IngressClass',
      metadata: { name, creationTimestamp, annotations },
    });
    const classes = [classOf('old', '2024'), classOf('new', '2025'), classOf('other', '2026', {})];
    const defaulting = underTest(
      createDefaultIngressClass({
        vocabulary,
        stored: async () => classes,
        namespace: () => undefined,
        limitRanges: () => [],
      }),
    );
    const ingresses = {
      resource: { group: groupName(vocabulary, 'networking.'), version: 'v1', resource: 'ingresses' },
    };
    expect(await defaulting.admit(podOf({}), ingresses)).toMatchObject({ spec: { ingressClassName: 'new' } });
    const annotated = podOf({}, { annotations: { [`${labelDomain}/ingress.class`]: 'x' } });
    expect(await defaulting.admit(annotated, ingresses)).toBe(annotated);
    const said = podOf({ ingressClassName: 'old' });
    expect(await defaulting.admit(said, ingresses)).toBe(said);
  });
});
