import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { pods } from '../core/pods.ts';

let resource: InMemoryResource;

beforeEach(() => {
  resource = new InMemoryResource(pods(kubernetesVocabulary));
});

const pod = (spec: JsonObject = {}, annotations: JsonObject = {}): JsonObject => ({
  metadata: { name: 'a', annotations },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

const withResources = (resources: JsonObject): JsonObject =>
  pod({ containers: [{ name: 'c', image: 'i', resources }] });

describe('updates of pods', () => {
  it('may write quantities in another form', async () => {
    await resource.create(withResources({ limits: { memory: '1Gi', cpu: '1' } }));
    const other = { memory: '1073741824', cpu: '1e0' };
    const { spec } = await resource.replace('a', withResources({ limits: other, requests: other }));
    expect(spec).toMatchObject({ containers: [{ resources: { limits: { memory: '1073741824' } } }] });
    const more = { memory: '2Gi', cpu: '1' };
    expect(
      await causesOf(resource.replace('a', withResources({ limits: more, requests: other }))),
    ).toHaveLength(1);
  });

  it('name an added gate once, at its last place', async () => {
    await resource.create(pod({ schedulingGates: [{ name: 'a' }] }));
    const schedulingGates = [{ name: 'z' }, { name: 'a' }, { name: 'z' }];
    expect(await causesOf(resource.replace('a', pod({ schedulingGates })))).toEqual([
      'spec.schedulingGates[2]: Duplicate value: "z"',
      "spec.schedulingGates[2].name: Forbidden: only deletion is allowed, but found new scheduling gate 'z'",
    ]);
  });

  it('add no containers to pods of a node itself, whatever else is wrong', async () => {
    const mirror = (spec: JsonObject) =>
      pod({ nodeName: 'n', ...spec }, { 'kubernetes.io/config.mirror': 'x' });
    await resource.create(mirror({}));
    const added = mirror({ ephemeralContainers: [{ name: 'e', image: ' i' }] });
    expect(await causesOf(resource.replace('a', added, 'ephemeralcontainers'))).toEqual([
      '[]: Forbidden: static pods do not support ephemeral containers',
    ]);
  });
});

describe('annotations of init containers', () => {
  it('are dropped', async () => {
    const annotations = {
      'pod.alpha.kubernetes.io/init-containers': 'x',
      'pod.beta.kubernetes.io/init-container-statuses': 'y',
      'pod.beta.example.com/init-containers': 'z',
    };
    const { metadata } = await resource.create(pod({}, annotations));
    expect(metadata.annotations).toEqual({ 'pod.beta.example.com/init-containers': 'z' });
  });
});

describe('texts of pods', () => {
  it.each([
    ['\u0085', 1],
    ['\u3000', 1],
    ['\ufeff', 0],
  ])('have white space by Unicode: %j', async (space, count) => {
    const containers = [{ name: 'c', image: `i${space}` }];
    const created = resource.create(pod({ containers }));
    const found = count === 0 ? await created.then(() => []) : await causesOf(created);
    expect(found).toHaveLength(count);
  });

  it('count signs of domains, not halves of them', async () => {
    const named = (runAsUserName: string): JsonObject =>
      pod({ securityContext: { windowsOptions: { runAsUserName } } });
    await resource.create(named(`${'😀'.repeat(15)}\\a`));
    expect(await causesOf(resource.create(named(`${'😀'.repeat(16)}\\a`)))).toHaveLength(1);
  });

  it('may have zeros before a negative cost', async () => {
    const cost = (text: string): JsonObject =>
      pod({}, { 'controller.kubernetes.io/pod-deletion-cost': text });
    expect(await causesOf(resource.create(cost('-00000000002147483649')))).toHaveLength(1);
    await resource.create(cost('-00000000002147483648'));
  });

  it('count bytes of domains to search', async () => {
    const searches = Array.from({ length: 16 }, () => 'é'.repeat(100));
    const found = await causesOf(resource.create(pod({ dnsConfig: { searches } })));
    expect(found[0]).toMatch('must not have more than 2048 characters');
  });
});
