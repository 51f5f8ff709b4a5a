import { kubernetesVocabulary, type Steps } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import { compilePolicySteps } from './compile-policy.ts';
import { readyPolicy } from './ready-policy.ts';

const policyOf = (count: number) => ({
  ...{ apiVersion: 'v1', kind: 'ValidatingAdmissionPolicy', metadata: { name: 'p' } },
  spec: { validations: Array.from({ length: count }, (_, i) => ({ expression: `object.a != ${i}` })) },
});

/** A clock on which every look takes longer than a slice. */
function slowClock() {
  let now = 0;
  return { now: () => 0, monotonic: () => (now += 20), setTimer: () => ({ clear() {} }) };
}

describe('the expressions of a policy', () => {
  it('are compiled once, with pauses if there are many', async () => {
    const compile = vi.fn((spec: object) => compilePolicySteps(spec, kubernetesVocabulary));
    const { compiled } = readyPolicy(policyOf(50), compile, { clock: slowClock() });
    const [first, second] = [compiled(), compiled()];
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toBe(await second);
    expect(compiled()).toBe(await first);
    expect((await first).validations).toHaveLength(50);
    expect(compile).toHaveBeenCalledTimes(1);
  });

  it('are waited for by nobody if they are few', () => {
    const compile = (spec: object) => compilePolicySteps(spec, kubernetesVocabulary);
    const { compiled } = readyPolicy(policyOf(1), compile, undefined);
    expect(compiled()).toMatchObject({ validations: [{ message: 'failed expression: object.a != 0' }] });
  });

  it('let others in after each', () => {
    const steps: Steps<unknown> = compilePolicySteps(policyOf(300).spec, kubernetesVocabulary);
    let pauses = 0;
    while (!steps.next().done) pauses++;
    expect(pauses).toBeGreaterThanOrEqual(300);
  });
});
