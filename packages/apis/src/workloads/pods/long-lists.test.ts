import { kubernetesVocabulary, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { conditionErrors } from '../certificates/request-conditions.ts';
import type { SigningRequest } from '../certificates/signing-request-types.ts';
import { requestErrorsSteps } from '../certificates/signing-request-validation.ts';
import { claimSpecErrors } from '../core/claim-validation.ts';
import type { Pod } from '../core/pod-types.ts';
import { scopesErrors } from '../resources/quota-scopes.ts';
import { topologiesErrorsSteps } from '../storage/topology-selectors.ts';
import { resourceErrors } from './container-resources.ts';
import { portWarnings } from './port-warnings.ts';
import { podStatusErrorsSteps } from './status/pod-status.ts';
import { overlapWarnings } from './volumes/overlapping-paths.ts';

const COUNT = 50_000;
const statusErrors = (...parameters: Parameters<typeof podStatusErrorsSteps>) =>
  runAtOnce(podStatusErrorsSteps(...parameters));
const repeated = <T>(item: T): readonly T[] => Array.from({ length: COUNT }, () => item);

// none of these finishes in the time of a test if each item is compared with all before it
describe('lists as long as a document', () => {
  it.each([
    ['the same ports', () => ({ containerPort: 80 })],
    ['ports of other hosts', (i: number) => ({ containerPort: 80, hostPort: (i % 65_535) + 1 })],
  ])('of %s have few warnings', (_what, portOf) => {
    const ports = Array.from({ length: COUNT }, (_, i) => portOf(i));
    expect(portWarnings({ containers: [{ name: 'c', ports }] }, 'spec').length).toBeLessThan(300);
  });

  it('of paths have few warnings', () => {
    const volumeOf = (items: readonly { readonly path: string }[]) => [{ name: 'v', configMap: { items } }];
    expect(overlapWarnings(volumeOf(repeated({ path: 'a' }))).length).toBeLessThan(300);
    const different = Array.from({ length: COUNT }, (_, i) => ({ path: `p${i}` }));
    expect(overlapWarnings(volumeOf(different))).toEqual([]);
  });

  it('of claims have no errors', () => {
    const names = Array.from({ length: COUNT }, (_, i) => `c${i}`);
    const context = { vocabulary: kubernetesVocabulary, claims: new Set(names) };
    const claims = names.map((name) => ({ name }));
    expect(resourceErrors({ claims }, context, 'resources')).toEqual([]);
  });

  it('of unknown claims have few errors, each with the beginning of what is known', () => {
    const names = Array.from({ length: COUNT }, (_, i) => `c${i}`);
    const context = { vocabulary: kubernetesVocabulary, claims: new Set(names) };
    const errors = resourceErrors({ claims: repeated({ name: 'd' }) }, context, 'resources');
    expect(errors.length).toBeLessThan(300);
    expect(errors[0]?.message).toMatch(/^Not found: "d": must be one of .*: c0, c1, .{1900,2000}\.\.\.$/);
  });

  it('of terms of a topology have no errors', () => {
    const terms = Array.from({ length: COUNT }, (_, i) => ({
      matchLabelExpressions: [{ key: 'a', values: [`v${i}`] }],
    }));
    expect(runAtOnce(topologiesErrorsSteps(terms, 'terms'))).toEqual([]);
  });

  it('of empty terms of a topology have few errors', () => {
    expect(runAtOnce(topologiesErrorsSteps(repeated({}), 'terms')).length).toBeLessThan(300);
  });

  it('of wrong access modes have few errors', () => {
    expect(claimSpecErrors({ accessModes: repeated('a') }, 'spec').length).toBeLessThan(300);
  });

  it('of containers that have ended are each looked for once', () => {
    let read = 0;
    const statusOf = (i: number, state: object) => ({
      get name() {
        read++;
        return `c${i}`;
      },
      state,
    });
    const statuses = (state: object) => Array.from({ length: COUNT }, (_, i) => statusOf(i, state));
    const pod = (state: object) =>
      ({
        metadata: {},
        spec: { restartPolicy: 'Never' },
        status: { containerStatuses: statuses(state) },
      }) as unknown as Pod;
    const errors = statusErrors(
      pod({ running: {} }),
      pod({ terminated: { exitCode: 0 } }),
      kubernetesVocabulary,
    );
    expect(errors.length).toBeLessThan(300);
    expect(errors[0]?.message).toBe('Forbidden: may not be transitioned to non-terminated state');
    expect(statusErrors(pod({ terminated: {} }), pod({ terminated: {} }), kubernetesVocabulary)).toEqual([]);
    expect(read).toBeLessThan(20 * COUNT);
  });

  it('of conditions of a signing request have no errors', () => {
    const conditions = repeated({ type: 'Approved', status: 'True' });
    const request = { status: { conditions } } as unknown as SigningRequest;
    expect(conditionErrors(request, request)).toEqual([]);
  });

  it('of labels of a signer are read with pauses', () => {
    const signerName = `${'a.'.repeat(COUNT)}b/c`;
    const steps = requestErrorsSteps(
      { spec: { signerName, usages: ['client auth'] } } as unknown as SigningRequest,
      '',
    );
    expect([...steps].length).toBeGreaterThan(100);
  });

  it('of scopes and resources have few errors', () => {
    const hard = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`count/a${i}.b`, '1']));
    const spec = { hard: { ...hard, pods: '1' }, scopes: repeated('BestEffort') };
    expect(scopesErrors(spec, 'spec').length).toBeLessThan(300);
  });
});
