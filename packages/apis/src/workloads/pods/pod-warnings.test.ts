import { kubernetesVocabulary } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { PodSpec } from '../core/pod-types.ts';
import { podWarnings } from './pod-warnings.ts';

const many = <T>(item: T): T[] => Array.from({ length: 1000 }, () => item);
const terms = many({ topologyKey: 'a' });
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
const expression = { key: 'beta.kubernetes.io/os', operator: 'Exists' };

describe('podWarnings', () => {
  it.each<[string, object, string]>([
    ['sources', { volumes: [{ name: 'v', projected: { sources: many({}) } }] }, 'has no sources provided'],
    ['volumes', { volumes: many({ name: 'v', gitRepo: {} }) }, 'spec.volumes[0].gitRepo: deprecated'],
    [
      'files',
      { volumes: [{ name: 'v', secret: { secretName: 's', items: many({ key: 'k', path: 'p' }) } }] },
      'overlapping paths: "p" with "p"',
    ],
    ['aliases', { hostAliases: many({ ip: '1.1.1.1' }) }, 'spec.hostAliases[1].ip: duplicate ip "1.1.1.1"'],
    [
      'secrets',
      { imagePullSecrets: many({ name: 'a' }) },
      'spec.imagePullSecrets[1].name: duplicate name "a"',
    ],
    [
      'variables',
      { containers: [{ name: 'a', env: many({ name: 'A', value: '1' }) }] },
      'spec.containers[0].env[1]: hides previous definition of "A"',
    ],
    [
      'containers',
      { containers: many({ name: 'a', resources: { limits: { memory: '0.5' } } }) },
      'spec.containers[0].resources.limits[memory]: fractional byte value',
    ],
    [
      'constraints',
      { topologySpreadConstraints: many({ topologyKey: 'a' }) },
      'spec.topologySpreadConstraints[0].labelSelector: a null labelSelector',
    ],
    [
      'expressions',
      {
        affinity: {
          nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: many(expression) }] } },
        },
      },
      'matchExpressions[0].key: beta.kubernetes.io/os is deprecated',
    ],
    [
      'preferences',
      {
        affinity: { nodeAffinity: { [preferred]: many({ preference: { matchExpressions: [expression] } }) } },
      },
      'matchExpressions[0].key: beta.kubernetes.io/os is deprecated',
    ],
    [
      'required terms',
      { affinity: { podAffinity: { [required]: terms } } },
      `podAffinity.${required}[0].labelSelector`,
    ],
    [
      'preferred terms',
      { affinity: { podAntiAffinity: { [preferred]: many({ podAffinityTerm: { topologyKey: 'a' } }) } } },
      `podAntiAffinity.${preferred}[0].podAffinityTerm.labelSelector`,
    ],
  ])('stop at the first hundred of %s, which headers do not hold', (_, spec, text) => {
    const warnings = podWarnings({ spec: spec as PodSpec }, kubernetesVocabulary);
    expect(warnings[0]).toContain(text);
    expect(warnings.length).toBeGreaterThanOrEqual(100);
    expect(warnings.length).toBeLessThanOrEqual(200);
  });
});
