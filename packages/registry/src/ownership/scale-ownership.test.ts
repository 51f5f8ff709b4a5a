import {
  type ApiObject,
  kubernetesVocabulary,
  orchVocabulary,
  runAtOnce,
  type Schema,
  validateDnsSubdomain,
} from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import type { ResourceDefinition } from '../definition/resource-definition.ts';
import type { ViewSubresource } from '../definition/subresource-kinds.ts';
import { ScaleOwnership } from './scale-ownership.ts';

interface Herd extends ApiObject {
  readonly spec?: { readonly size?: number; readonly kept?: string };
}
interface Scale extends ApiObject {
  readonly spec?: { readonly replicas?: number };
}

const numbers = (name: string): Schema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: { [name]: { type: 'integer' } } } },
});

const view: ViewSubresource = {
  name: 'scale',
  group: 'autoscaling',
  version: 'v1',
  kind: 'Scale',
  schema: numbers('replicas'),
  verbs: ['get', 'patch', 'update'],
  replicasPath: ['spec', 'size'],
  view: ({ metadata, spec }: Herd) =>
    ({
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: { name: metadata.name },
      spec: spec?.size ? { replicas: spec.size } : {},
    }) as Scale,
  merge: ({ spec }: Scale, stored: Herd) =>
    ({ ...stored, spec: { ...stored.spec, size: spec?.replicas ?? 0 } }) as Herd,
  validate: () => [],
};

const herds: ResourceDefinition = {
  group: 'farm.io',
  names: { plural: 'herds', singular: 'herd', kind: 'Herd', listKind: 'HerdList' },
  scope: 'Namespaced',
  dialect: 'built-in',
  versions: [{ name: 'v1', served: true, storage: true, schema: numbers('size') }],
  views: [view],
  strategy: { validateName: validateDnsSubdomain },
};

const ownershipIn = (vocabulary = orchVocabulary): ScaleOwnership =>
  new ScaleOwnership(herds, 'v1', view, { clock: createSteppedClock(Date.UTC(2024, 0, 1)), vocabulary });

const entry = (manager: string, fields: object, more: object = {}) => ({
  manager,
  operation: 'Update',
  apiVersion: 'farm.io/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: { 'f:spec': fields },
  ...more,
});
const size = { 'f:size': {} };
const time = '2024-01-01T00:00:00Z';
const herd = (number: number, managedFields: readonly object[]): Herd =>
  ({
    apiVersion: 'farm.io/v1',
    kind: 'Herd',
    metadata: { name: 'h', managedFields },
    spec: { size: number },
  }) as unknown as Herd;

const updated = (stored: Herd, number: number, vocabulary = orchVocabulary) =>
  runAtOnce(
    ownershipIn(vocabulary).updateSteps(
      stored,
      { ...stored, spec: { ...stored.spec, size: number } } as Herd,
      'x',
    ),
  ).metadata.managedFields;

describe('a write of a scale', () => {
  for (const vocabulary of [orchVocabulary, kubernetesVocabulary])
    it(`takes the replicas from others, without a time (${vocabulary.clientName})`, () => {
      const stored = herd(1, [entry('a', { ...size, 'f:kept': {} }, { time })]);
      expect(updated(stored, 2, vocabulary)).toEqual([
        entry('x', size, { subresource: 'scale' }),
        entry('a', { 'f:kept': {} }, { time }),
      ]);
    });

  it('that changes nothing moves the replicas of an updater into an entry of their own, which the next one drops', () => {
    const stored = herd(1, [entry('a', { ...size, 'f:kept': {} }, { time })]);
    const split = updated(stored, 1);
    expect(split).toEqual([entry('a', size), entry('a', { 'f:kept': {} }, { time })]);
    expect(updated(herd(1, split ?? []), 1)).toEqual([entry('a', { 'f:kept': {} }, { time })]);
  });

  it('leaves the replicas to appliers if it does not change them', () => {
    const applied = entry('a', size, { operation: 'Apply', time });
    expect(updated(herd(1, [applied]), 1)).toEqual([applied]);
  });

  it('is not tracked if nobody owns the replicas', () => {
    expect(updated(herd(1, [entry('a', { 'f:kept': {} }, { time })]), 2)).toEqual([
      entry('a', { 'f:kept': {} }, { time }),
    ]);
  });

  it('leaves replicas of 0 without an owner', () => {
    expect(updated(herd(1, [entry('a', size, { time })]), 0)).toBeUndefined();
  });
});

describe('an apply of a scale', () => {
  const applied = (force: boolean) => {
    const configuration = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'h' },
      spec: { replicas: 3 },
    };
    const stored = herd(1, [entry('a', size, { operation: 'Apply', time })]);
    const ownership = ownershipIn();
    const merged = runAtOnce(ownership.applySteps(stored, configuration, { manager: 'x', force }));
    return runAtOnce(ownership.settleSteps(stored, view.merge(merged, stored), merged));
  };

  it('conflicts with those who apply another number', () => {
    expect(() => applied(false)).toThrow('conflict with "a": .spec.replicas');
  });

  it('takes the replicas if it is forced', () => {
    expect(applied(true)).toMatchObject({
      spec: { size: 3 },
      metadata: { managedFields: [entry('x', size, { operation: 'Apply', subresource: 'scale' })] },
    });
  });
});
