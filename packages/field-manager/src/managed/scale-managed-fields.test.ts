import type { ManagedFieldsEntry } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { fieldPath } from '../fieldpath/path-element.ts';
import { fromScaleManagedFields, toScaleManagedFields } from './scale-managed-fields.ts';
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
    expect(fromScaleManagedFields(parent, scale, 'apps/v1', paths)).toEqual([
      entry('a', { fieldsV1: { 'f:spec': { 'f:paused': {} } } }),
      entry('b', { subresource: 'scale' }),
    ]);
    expect(fromScaleManagedFields([entry('a')], undefined, 'apps/v1', paths)).toBeUndefined();
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
