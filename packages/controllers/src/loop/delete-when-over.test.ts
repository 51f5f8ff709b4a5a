import type { ApiObject } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { deleteWhenOver } from './delete-when-over.ts';

const START = 1_000_000;

/** What happens to an object that expires then: deletions, and when to check again. */
async function done(end: number, metadata: ApiObject['metadata'] = { name: 'x' }) {
  const deleted: unknown[][] = [];
  const resource = {
    async delete(...call: unknown[]): Promise<never> {
      deleted.push(call);
      return undefined as never;
    },
  };
  const object = { apiVersion: 'v1', kind: 'Secret', metadata };
  const again = await deleteWhenOver(object, end, { resource, clock: createSteppedClock(START) });
  return { deleted, again };
}

describe('deleteWhenOver', () => {
  it('keeps objects that never expire', async () => {
    expect(await done(Number.POSITIVE_INFINITY)).toEqual({ deleted: [], again: undefined });
  });

  it('checks again at the expiry', async () => {
    expect(await done(START + 1)).toEqual({ deleted: [], again: { againAfterMilliseconds: 1 } });
  });

  it('deletes the object as it was read, after its expiry', async () => {
    const { deleted, again } = await done(START, { name: 'x', uid: 'u', resourceVersion: '7' });
    expect(deleted).toEqual([['x', { preconditions: { uid: 'u', resourceVersion: '7' } }]]);
    expect(again).toBeUndefined();
  });

  it('uses only known preconditions', async () => {
    expect((await done(START - 1)).deleted).toEqual([['x', { preconditions: {} }]]);
  });
});
