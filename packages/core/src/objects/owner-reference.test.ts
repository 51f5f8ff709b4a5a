import { expect, it } from 'vitest';
import type { ApiObject } from './api-object.ts';
import { controllerOf, ownerReferenceTo } from './owner-reference.ts';

const owner = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'b', uid: 'u' } };

it('refers to an owner', () => {
  expect(ownerReferenceTo(owner)).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' });
  expect(ownerReferenceTo(owner, { controller: true })).toMatchObject({ uid: 'u', controller: true });
});

it('finds the controller among the owners', () => {
  const plain = ownerReferenceTo(owner);
  const managing = ownerReferenceTo({ ...owner, metadata: { name: 'c', uid: 'v' } }, { controller: true });
  const child = (...ownerReferences: (typeof plain)[]) => ({
    ...owner,
    metadata: { name: 'd', ownerReferences },
  });
  expect(controllerOf(child(plain, managing))).toBe(managing);
  expect(controllerOf(child(plain))).toBeUndefined();
  expect(controllerOf(owner)).toBeUndefined();
});

it.each<[unknown, string]>([
  [{ ...owner, metadata: { name: 'a' } }, 'an object with the members apiVersion, kind, metadata'],
  [undefined, 'undefined'],
  [Promise.resolve(owner), 'a promise: await it first'],
])('rejects what no server has stored: %j', (given, text) => {
  expect(() => ownerReferenceTo(given as ApiObject)).toThrow(
    `ownerReferenceTo takes an object as the server returned it, with apiVersion, kind, name and uid, not ${text}`,
  );
});
