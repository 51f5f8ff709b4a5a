import type { ApiObject } from '@ashlar/core';
import { createManualClock } from '@ashlar/core/testing';
import { describe, expect, it } from 'vitest';
import { deleteWhenOver } from './delete-when-over.ts';

const START = 1_000_000;

/** What is done about an object that ends then: what is deleted, and when to look again. */
async function done(end: number, metadata: ApiObject['metadata'] = { name: 'x' }) {
  const deleted: unknown[][] = [];
  const resource = {
    async delete(...call: unknown[]): Promise<never> {
      deleted.push(call);
      return undefined as never;
    },
  };
  const object = { apiVersion: 'v1', kind: 'Secret', metadata };
  const again = await deleteWhenOver(object, end, { resource, clock: createManualClock(START) });
  return { deleted, again };
}

describe('deleteWhenOver', () => {
  it('leaves alone what never ends', async () => {
    expect(await done(Number.POSITIVE_INFINITY)).toEqual({ deleted: [], again: undefined });
  });

  it('looks again when the time is over', async () => {
    expect(await done(START + 1)).toEqual({ deleted: [], again: { againAfterMilliseconds: 1 } });
  });

  it('deletes the object as it was seen, when its time is over', async () => {
    const { deleted, again } = await done(START, { name: 'x', uid: 'u', resourceVersion: '7' });
    expect(deleted).toEqual([['x', { preconditions: { uid: 'u', resourceVersion: '7' } }]]);
    expect(again).toBeUndefined();
  });

  it('asks for no more than is known of the object', async () => {
    expect((await done(START - 1)).deleted).toEqual([['x', { preconditions: {} }]]);
  });
});
