import { doneSteps, kubernetesVocabulary, runAtOnce, type Steps } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../core/pod-types.ts';
import { pods } from '../core/pods.ts';
import { affinityErrors } from './affinity.ts';
import { podErrors } from './pod-validation.ts';

const COUNT = 20_000;
const many = <T>(make: (i: number) => T): readonly T[] => Array.from({ length: COUNT }, (_, i) => make(i));

const pausesOf = (steps: Steps<unknown>): number => [...steps].length;

const names = many((i) => `a${i}`);
const terms = many((i) => ({ topologyKey: `a${i}` }));
const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';

describe('long lists of pods', () => {
  it.each([
    ['terms of affinity', { affinity: { podAffinity: { [REQUIRED]: terms } } }],
    [
      'weighted terms of anti-affinity',
      {
        affinity: {
          podAntiAffinity: { [PREFERRED]: terms.map((term) => ({ weight: 1, podAffinityTerm: term })) },
        },
      },
    ],
    [
      'preferred nodes',
      { affinity: { nodeAffinity: { [PREFERRED]: terms.map(() => ({ weight: 1, preference: {} })) } } },
    ],
    [
      'required nodes',
      {
        affinity: {
          nodeAffinity: {
            [REQUIRED]: { nodeSelectorTerms: many((i) => (i === 9 ? { matchFields: [{}] } : {})) },
          },
        },
      },
    ],
    [
      'keys of a term',
      { affinity: { podAffinity: { [REQUIRED]: [{ topologyKey: 'a', mismatchLabelKeys: names }] } } },
    ],
    ['search domains', { dnsConfig: { searches: names } }],
    ['names of a host', { hostAliases: [{ ip: '10.0.0.1', hostnames: names }] }],
    ['keys of a constraint', { topologySpreadConstraints: [{ matchLabelKeys: names }] }],
  ])('of %s are validated ahead, with pauses', (_what, spec) => {
    const { validateSteps } = pods(kubernetesVocabulary).strategy;
    const stepsOf = (pod: Pod): Steps<unknown> => validateSteps?.(pod) ?? doneSteps(undefined);
    const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec };
    expect(pausesOf(stepsOf(pod))).toBeGreaterThan(COUNT / 128);
    expect(runAtOnce(stepsOf(structuredClone(pod)))).toEqual(runAtOnce(stepsOf(pod)));
    expect(podErrors(structuredClone(pod), kubernetesVocabulary)).toEqual(runAtOnce(stepsOf(pod)));
  });

  it('looks for each key of a term in its selector once', () => {
    let read = 0;
    const matchLabelKeys = many((i) => `k${i}`);
    const counted = new Proxy(matchLabelKeys, {
      get(keys, name) {
        if (/^\d+$/.test(String(name))) read++;
        return Reflect.get(keys, name) as unknown;
      },
    });
    const expressions = many((i) => ({ key: i < 2 ? 'k7' : `e${i}`, operator: 'Exists' }));
    const labelSelector = { matchExpressions: expressions };
    const term = { topologyKey: 'a', matchLabelKeys: counted, labelSelector };
    const errors = affinityErrors({ podAffinity: { [REQUIRED]: [term] } }, 'spec.affinity');
    expect(errors.map(({ field }) => field)).toEqual([`spec.affinity.podAffinity.${REQUIRED}[0][7]`]);
    expect(read).toBeLessThan(10 * COUNT);
  });
});
