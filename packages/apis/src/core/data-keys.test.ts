import { kubernetesVocabulary, type Steps } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import { describe, expect, it } from 'vitest';
import { configMaps } from './configmaps.ts';
import { secrets } from './secrets.ts';

const KEYS = 10_000;

/** How often work pauses, and what it finds. */
function run<T>(steps: Steps<T> | undefined): [pauses: number, result: T | undefined] {
  let pauses = 0;
  for (;;) {
    const next = steps?.next();
    if (!next || next.done) return [pauses, next?.value];
    pauses++;
  }
}

const objectOf = (keys: number) => ({
  ...{ apiVersion: 'v1', kind: 'A', metadata: {}, type: 'Opaque', immutable: true },
  data: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'dg=='])),
});

describe.each<[string, ResourceDefinition]>([
  ['configmaps', configMaps(kubernetesVocabulary)],
  ['secrets', secrets(kubernetesVocabulary)],
])('data of %s', (_, { strategy }) => {
  it('by the ten thousand keys are checked with pauses', () => {
    const [pauses, errors] = run(strategy.validateSteps?.(objectOf(KEYS)));
    expect(errors).toEqual([]);
    expect(pauses).toBeGreaterThan(KEYS / 100);
  });

  it('of a few keys are checked at once', () => {
    expect(run(strategy.validateSteps?.(objectOf(3)))).toEqual([0, []]);
  });
});

describe('texts of a secret', () => {
  const completeSteps = secrets(kubernetesVocabulary).versions[0]?.completeSteps;
  const texts = (keys: number) => ({
    ...{ apiVersion: 'v1', kind: 'Secret', metadata: {} },
    stringData: Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 'v'])),
  });

  it('by the ten thousand are merged into its data with pauses', () => {
    const [pauses, secret] = run(completeSteps?.(texts(KEYS)));
    expect(Object.keys((secret as { data?: object } | undefined)?.data ?? {})).toHaveLength(KEYS);
    expect(pauses).toBeGreaterThan((2 * KEYS) / 1024);
  });

  it('that are null become empty with pauses', () => {
    const nulls = Object.fromEntries(Array.from({ length: KEYS }, (_, i) => [`k${i}`, null]));
    const object = { ...texts(0), data: nulls } as unknown as ReturnType<typeof texts>;
    const [pauses, secret] = run(completeSteps?.(object));
    expect(secret).toMatchObject({ data: { k0: '', [`k${KEYS - 1}`]: '' } });
    expect(pauses).toBeGreaterThan(KEYS / 1024 - 1);
  });

  it('that are few are merged at once', () => {
    expect(run(completeSteps?.(texts(3)))[0]).toBe(0);
  });
});
