import type { ApiObject } from '@ashlar/core';
import { expect, test } from 'vitest';
import { changedFields } from './changed-fields.ts';

const object = (spec: object, labels: Readonly<Record<string, string>> = {}): ApiObject =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels }, spec }) as ApiObject;

test.each([
  [object({ replicas: 1 }), object({ replicas: 2 }), 'spec.replicas'],
  [
    object({ a: [{ b: 1 }, { b: 2 }] }),
    object({ a: [{ b: 1 }, { b: 3, c: 1 }, 4] }),
    'spec.a[1].b, spec.a[1].c, spec.a[2]',
  ],
  [object({}), object({}, { 'example.com/team': 'red' }), 'metadata.labels["example.com/team"]'],
  [object({ a: { b: 1 } }), object({ a: [1] }), 'spec.a'],
  [
    object({}),
    object({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 }),
    'spec.a, spec.b, spec.c, spec.d, spec.e and 2 more',
  ],
  [object({ a: 1 }), object({ a: 1, b: null }), ''],
])('%j to %j', (before, after, fields) => {
  expect(changedFields(before, after)).toBe(fields);
});
