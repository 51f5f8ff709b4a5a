import { setImmediate } from 'node:timers/promises';
import type { ResourceClient } from '@ashlar/client';
import type { ApiObject, OwnerReference } from '@ashlar/core';
import type { TestServer } from '@ashlar/testing';
import { expect } from 'vitest';

/** Config maps of a namespace. */
export const mapsOf = ({ client }: Pick<TestServer, 'client'>, namespace = 'default'): ResourceClient =>
  client
    .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace(namespace);

/** A reference to an object, with overrides. */
export const ownedBy = (owner: ApiObject, change: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name ?? '',
  uid: owner.metadata.uid ?? '',
  ...change,
});

/** Runs the collector until something holds; its retries wait for the clock. */
export async function settled(server: TestServer, holds: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; turn < 500 && !(await holds()); turn++) {
    await setImmediate();
    await server.clock.advance(10);
  }
  expect(await holds()).toBe(true);
}

/** Runs the collector for a while, in which it might do something wrong. */
export async function aWhile(server: TestServer): Promise<void> {
  for (let turn = 0; turn < 30; turn++) {
    await setImmediate();
    await server.clock.advance(100);
  }
}

export const isGone = (resource: ResourceClient, name: string): Promise<boolean> =>
  resource.get(name).then(
    () => false,
    (error) => error.code === 404,
  );
