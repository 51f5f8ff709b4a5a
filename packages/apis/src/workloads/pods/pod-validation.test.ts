import { isJsonObject, type JsonObject, kubernetesVocabulary, orchVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { pods } from '../core/pods.ts';
import { patternOf, recordedRefusals } from '../recorded-refusals.fixture.ts';

const VALID: JsonObject = { metadata: { name: 'a' }, spec: { containers: [{ name: 'c', image: 'i' }] } };

function merged(object: JsonObject, change: JsonObject): JsonObject {
  const entries = Object.entries(change).map(([name, value]) => {
    const before = object[name];
    return [name, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value];
  });
  return { ...object, ...Object.fromEntries(entries) };
}

describe.each([
  ['kubernetes', kubernetesVocabulary],
  ['orch', orchVocabulary],
])('pods in vocabulary %s', (_name, vocabulary) => {
  // what is reserved stays so in every vocabulary
  const translated = (text: string): string =>
    text.includes('flexVolume') ? text : text.replaceAll('kubernetes.io/', `${vocabulary.labelDomain}/`);

  it.each(
    recordedRefusals('pods.jsonl').map(({ change, causes }) => [JSON.stringify(change), causes] as const),
  )('are refused as on the reference: %s', async (change, causes) => {
    const pod = merged(VALID, JSON.parse(translated(change)) as JsonObject);
    const found = await causesOf(new InMemoryResource(pods(vocabulary)).create(pod));
    expect(found).toHaveLength(causes.length);
    for (const [index, cause] of causes.entries()) expect(found[index]).toMatch(patternOf(translated(cause)));
  });
});

describe('fields of features that are off', () => {
  it('are dropped from pods', async () => {
    const resource = new InMemoryResource(pods(kubernetesVocabulary));
    const pod = await resource.create({
      metadata: { name: 'a' },
      spec: {
        hostUsers: true,
        resources: { limits: { cpu: '1' } },
        resourceClaims: [{ name: 'r' }],
        securityContext: {
          supplementalGroupsPolicy: 'Merge',
          seLinuxChangePolicy: 'Recursive',
          runAsUser: 1,
        },
        volumes: [
          { name: 'i', image: { reference: 'r' } },
          { name: 'p', projected: { sources: [{ clusterTrustBundle: { name: 'b', path: 'p' } }] } },
        ],
        containers: [
          {
            name: 'c',
            image: 'i',
            resources: { claims: [{ name: 'r' }] },
            resizePolicy: [{ resourceName: 'cpu', restartPolicy: 'NotRequired' }],
            securityContext: { procMount: 'Unmasked' },
            volumeMounts: [{ name: 'i', mountPath: '/i' }],
          },
        ],
      },
    });
    const { hostUsers, resources, resourceClaims, securityContext, volumes, containers } =
      pod.spec as JsonObject;
    expect([hostUsers, resources, resourceClaims]).toEqual([undefined, undefined, undefined]);
    expect(securityContext).toEqual({ runAsUser: 1 });
    expect(volumes).toEqual([{ name: 'p', projected: { defaultMode: 420, sources: [{}] } }]);
    expect(containers).toMatchObject([{ resources: {}, securityContext: { procMount: 'Default' } }]);
    expect(containers).not.toMatchObject([{ resizePolicy: expect.anything() }]);
  });
});
