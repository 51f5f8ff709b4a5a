import { type FieldError, fieldErrorText, kubernetesVocabulary, type Steps } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { deployments } from './apps/deployments.ts';
import { jobs } from './batch/jobs.ts';
import { replicationControllers } from './core/replication-controllers.ts';
import { compiledSelector, compileSelectorSteps, selectedErrors } from './selected-template.ts';

const labels = (count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));

function run<T>(steps: Steps<T>): [pauses: number, result: T] {
  for (let pauses = 0; ; pauses++) {
    const next = steps.next();
    if (next.done) return [pauses, next.value];
  }
}

describe('a selector of a template', () => {
  it('that has very many requirements is compiled and compared with pauses, once', () => {
    const selector = { matchLabels: labels(2_000) };
    const template = { metadata: { labels: labels(2_000) } };
    expect(run(compileSelectorSteps(selector, template))[0]).toBeGreaterThan(4);
    expect(run(compileSelectorSteps(selector, template))[0]).toBe(0);
    const compiled = compiledSelector(selector);
    expect(compiledSelector(selector)).toBe(compiled);
    expect(selectedErrors(selector, template, 'spec.template')).toEqual([]);
    const other = { metadata: { labels: labels(1_999) } };
    expect(selectedErrors(selector, other, 'spec.template')).toHaveLength(1);
    expect(selectedErrors(selector, template, 'spec.template')).toEqual([]);
  });

  it('that has few is compiled when it is needed', () => {
    expect(run(compileSelectorSteps({ matchLabels: labels(3) }, undefined))[0]).toBe(0);
    expect(run(compileSelectorSteps(undefined, undefined))[0]).toBe(0);
  });

  it('pauses in the validation of jobs', () => {
    const { strategy } = jobs(kubernetesVocabulary);
    const job = (count: number): never =>
      ({
        metadata: { name: 'a' },
        spec: { manualSelector: true, selector: { matchLabels: labels(count) }, template: {} },
      }) as never;
    expect(run(strategy.validateSteps?.(job(2)) as Steps<never[]>)[0]).toBe(0);
    expect(run(strategy.validateSteps?.(job(2_000)) as Steps<never[]>)[0]).toBeGreaterThan(4);
    expect(run(strategy.validateUpdateSteps?.(job(2_000), job(2)) as Steps<never[]>)[0]).toBeGreaterThan(4);
  });

  it('pauses in the validation of replication controllers, with the same errors', () => {
    const { strategy } = replicationControllers(kubernetesVocabulary);
    const controller = (count: number, selector: object = labels(count)): never =>
      ({
        metadata: { name: 'a' },
        spec: { selector, template: { metadata: { labels: labels(count) }, spec: {} } },
      }) as never;
    const validate = (object: never) => run(strategy.validateSteps?.(object) as Steps<FieldError[]>);
    const [none, few] = validate(controller(2));
    const [pauses, many] = validate(controller(5_000));
    expect(none).toBe(0);
    expect(pauses).toBe(4);
    expect(many.map(fieldErrorText)).toEqual(few.map(fieldErrorText));
    const other = validate(controller(5_000, { ...labels(4_999), other: 'v' }))[1];
    expect(other.map(({ field }) => field)).toContain('spec.template.metadata.labels');
    expect(run(strategy.validateUpdateSteps?.(controller(5_000), controller(2)) as Steps<never[]>)[0]).toBe(
      4,
    );
  });

  it('pauses in the validation of those who own pods, with the same errors', () => {
    const { strategy } = deployments(kubernetesVocabulary);
    const object = (count: number, values: number): never =>
      ({
        metadata: { name: 'a' },
        spec: {
          selector: {
            matchLabels: labels(count),
            matchExpressions: [{ key: 'k', operator: 'NotIn', values: Object.keys(labels(values)) }],
          },
          template: { metadata: { labels: labels(1) }, spec: { containers: [] } },
        },
      }) as never;
    const [none, few] = run(strategy.validateSteps?.(object(2, 1)) as Steps<never[]>);
    expect(none).toBe(0);
    for (const large of [object(2_000, 1), object(2, 2_000)]) {
      const [pauses, many] = run(strategy.validateSteps?.(large) as Steps<never[]>);
      expect(pauses).toBeGreaterThan(4);
      expect(many.map(fieldErrorText)).toEqual(few.map(fieldErrorText));
    }
  });
});
