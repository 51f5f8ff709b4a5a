import { type JsonObject, type ManagedFieldsEntry, runAtOnce } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { fieldPath } from '../fieldpath/path-element.ts';
import { fromScaleManagedFieldsSteps, toScaleManagedFields } from './scale-managed-fields.ts';
import { upgradeManagedFields, upgradeManagedFieldsPatch } from './upgrade-managed-fields.ts';

const replicas = { 'f:spec': { 'f:replicas': {} } };
const entry = (manager: string, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry => ({
  manager,
  operation: 'Apply',
  apiVersion: 'apps/v1',
  fieldsType: 'FieldsV1',
  fieldsV1: replicas,
  ...more,
});
const paths = { 'apps/v1': fieldPath('spec', 'replicas'), 'apps/v2': null };

describe('entries of scale', () => {
  it('are those that own the replicas', () => {
    const parent = [
      entry('a'),
      entry('b', { fieldsV1: { 'f:data': {} } }),
      entry('c', { apiVersion: 'apps/v2' }),
    ];
    expect(toScaleManagedFields(parent, paths)).toEqual([entry('a', { apiVersion: 'autoscaling/v1' })]);
  });

  it('are merged into those of the object: a manager that lost the replicas keeps the rest', () => {
    const parent = [entry('a', { fieldsV1: { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } } })];
    const scale = [entry('b', { apiVersion: 'autoscaling/v1', subresource: 'scale' })];
    expect(runAtOnce(fromScaleManagedFieldsSteps(parent, scale, 'apps/v1', paths))).toEqual([
      entry('a', { fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
      entry('b', { subresource: 'scale' }),
    ]);
    expect(runAtOnce(fromScaleManagedFieldsSteps([entry('a')], undefined, 'apps/v1', paths))).toBeUndefined();
  });

  it('are those whose replicas are a member, with or without fields below', () => {
    const below = (fields: JsonObject) => [entry('a', { fieldsV1: { 'f:spec': { 'f:replicas': fields } } })];
    expect(toScaleManagedFields(below({ '.': {}, 'f:a': {} }), paths)).toHaveLength(1);
    expect(toScaleManagedFields(below({ 'f:a': {} }), paths)).toBeUndefined();
    expect(toScaleManagedFields([entry('a', { fieldsV1: { 'f:spec': {} } })], paths)).toBeUndefined();
    expect(toScaleManagedFields(undefined, paths)).toBeUndefined();
  });

  it('are merged with pauses into those who own tens of thousands of fields, of which nothing is shown', () => {
    const labels = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f:k${i}`, {}]));
    const fieldsV1 = { 'f:spec': { 'f:replicas': {}, 'f:selector': labels } };
    const parent = [entry('a', { fieldsV1 })];
    expect(toScaleManagedFields(parent, paths)).toEqual([entry('a', { apiVersion: 'autoscaling/v1' })]);
    const steps = fromScaleManagedFieldsSteps(parent, undefined, 'apps/v1', paths);
    let pauses = 0;
    let step = steps.next();
    for (; !step.done; step = steps.next()) pauses++;
    expect(pauses).toBeGreaterThan(20);
    expect(step.value).toEqual([entry('a', { fieldsV1: { 'f:spec': { 'f:selector': labels } } })]);
  });
});

describe('entries of client-side apply', () => {
  const options = { clientSideManagers: ['client-side'], manager: 'client' };
  const update = entry('client-side', { operation: 'Update', time: '2001-01-01T00:00:00Z' });

  it('become the apply of the client', () => {
    expect(upgradeManagedFields([update], options)).toEqual([
      entry('client', { time: '2001-01-01T00:00:00Z' }),
    ]);
    const applied = entry('client', { fieldsV1: { 'f:data': {} } });
    expect(upgradeManagedFields([applied, update], options)).toEqual([
      { ...applied, fieldsV1: { 'f:data': {}, 'f:spec': { 'f:replicas': {} } } },
    ]);
  });

  it('are upgraded by a conditional patch, if any', () => {
    expect(
      upgradeManagedFieldsPatch({ resourceVersion: '7', managedFields: [update] }, options)?.[1],
    ).toEqual({
      op: 'replace',
      path: '/metadata/resourceVersion',
      value: '7',
    });
    expect(upgradeManagedFieldsPatch({ managedFields: [entry('client')] }, options)).toBeUndefined();
    expect(upgradeManagedFieldsPatch({}, options)).toBeUndefined();
  });
});
