import { type JsonObject, kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { causesOf, InMemoryResource } from '../../types/in-memory-resource.fixture.ts';
import { pods } from '../core/pods.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

const pod = (kind: string, term: JsonObject): JsonObject => ({
  metadata: { name: 'a', labels: { app: 'x', zone: 'y' } },
  spec: {
    containers: [{ name: 'c', image: 'i' }],
    affinity: {
      [kind]: { [REQUIRED]: [term], [PREFERRED]: [{ weight: 1, podAffinityTerm: term }] },
    },
  },
});

const create = (object: JsonObject) => new InMemoryResource(pods(kubernetesVocabulary)).create(object);

describe.each(['podAffinity', 'podAntiAffinity'])('label keys of %s', (kind) => {
  it('select by the labels of a new pod', async () => {
    const { spec } = await create(
      pod(kind, {
        topologyKey: 'k',
        matchLabelKeys: ['app', 'other'],
        mismatchLabelKeys: ['zone'],
        labelSelector: { matchLabels: { tier: 'z' } },
      }),
    );
    const labelSelector = {
      matchLabels: { tier: 'z' },
      matchExpressions: [
        { key: 'app', operator: 'In', values: ['x'] },
        { key: 'zone', operator: 'NotIn', values: ['y'] },
      ],
    };
    expect(spec).toMatchObject({
      affinity: {
        [kind]: { [REQUIRED]: [{ labelSelector }], [PREFERRED]: [{ podAffinityTerm: { labelSelector } }] },
      },
    });
  });

  it('must not be in the selector already', async () => {
    const term = { topologyKey: 'k', matchLabelKeys: ['app'], labelSelector: { matchLabels: { app: 'x' } } };
    const why = 'Invalid value: "app": exists in both matchLabelKeys and labelSelector';
    expect(await causesOf(create(pod(kind, term)))).toEqual([
      `spec.affinity.${kind}.${REQUIRED}[0][0]: ${why}`,
      `spec.affinity.${kind}.${PREFERRED}[0].podAffinityTerm[0]: ${why}`,
    ]);
  });
});
