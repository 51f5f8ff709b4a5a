import type { ApiObject, ManagedFieldsEntry } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { keepManagedFieldTimes } from './managed-field-times.ts';

const entries = (count: number, time: string): ManagedFieldsEntry[] =>
  Array.from({ length: count }, (_, i) => ({
    manager: `m${i}`,
    operation: 'Apply',
    apiVersion: 'v1',
    time,
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { [`f:k${i}`]: {} } },
  }));

const object = (managedFields: readonly ManagedFieldsEntry[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'c', managedFields },
});

describe('times of field managers', () => {
  // Comparing each pair would take a minute.
  it('do not change for twenty thousand managers of the same fields, in any order', () => {
    const stored = object(entries(20_000, '2020-01-01T00:00:00Z'));
    const next = object(entries(20_000, '2021-01-01T00:00:00Z').reverse());
    expect(keepManagedFieldTimes(next, stored).metadata.managedFields).toBe(stored.metadata.managedFields);
  });

  it.each(['constructor', 'toString'])('are of a change if it removes a field %s', (name) => {
    const next = object([]);
    const stored = { ...next, [name]: {} };
    expect(keepManagedFieldTimes(next, stored)).not.toHaveProperty(name, {});
    expect(keepManagedFieldTimes(next, stored)).toBe(next);
  });

  it('do not change if only the order of keys does', () => {
    const stored = { ...object(entries(1, '2020-01-01T00:00:00Z')), spec: { a: 1, b: { c: 2, d: 3 } } };
    const next = { ...object(entries(1, '2021-01-01T00:00:00Z')), spec: { b: { d: 3, c: 2 }, a: 1 } };
    const kept = keepManagedFieldTimes(next, stored);
    expect(JSON.stringify(kept.spec)).toBe(JSON.stringify(stored.spec));
  });

  it('change if a manager owns other fields', () => {
    const stored = object(entries(3, '2020-01-01T00:00:00Z'));
    const [first, ...others] = entries(3, '2021-01-01T00:00:00Z');
    const next = object([{ ...first, fieldsV1: { 'f:data': {} } }, ...others]);
    expect(keepManagedFieldTimes(next, stored)).toBe(next);
  });
});
