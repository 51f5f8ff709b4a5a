import { StatusError } from '@ashlar/core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ObjectAllocator } from '../definition/object-allocator.ts';
import { createTestResource, type Page, pages, type TestResource } from '../objects/test-resource.fixture.ts';

/** Gives every object a ticket of its own. */
let calls: string[];
let tickets: number;
const allocator: ObjectAllocator = {
  begin(object, stored, { dryRun }) {
    const had = (stored as Page | undefined)?.text;
    const ticket = had ?? (dryRun ? 'imagined' : `ticket ${++tickets}`);
    calls.push(`take ${ticket}`);
    return {
      object: { ...object, text: ticket },
      commit: () => void calls.push(`commit ${ticket}`),
      revert: () => void calls.push(`revert ${ticket}`),
    };
  },
  async release(removed) {
    calls.push(`release ${(removed as Page).text}`);
  },
  async repair() {},
};

let isRefused: boolean;
let resource: TestResource;

beforeEach(() => {
  calls = [];
  tickets = 0;
  isRefused = false;
  resource = createTestResource({
    definition: pages,
    allocator,
    admission: {
      validate: async () => {
        if (isRefused) throw StatusError.badRequest('no');
      },
    },
  });
});

describe('what a write is given', () => {
  it('is kept when the object is stored, and given back when it is removed', async () => {
    expect(await resource.create('a')).toMatchObject({ text: 'ticket 1' });
    expect(await resource.replace('a', {})).toMatchObject({ text: 'ticket 1' });
    await resource.remove('a');
    expect(calls).toEqual([
      ...['take ticket 1', 'commit ticket 1', 'take ticket 1', 'commit ticket 1', 'release ticket 1'],
    ]);
  });

  it('is given back when the write is refused', async () => {
    isRefused = true;
    await expect(resource.create('a')).rejects.toThrow('no');
    isRefused = false;
    await resource.create('a');
    await expect(resource.create('a')).rejects.toThrow('already exists');
    expect(calls).toEqual([
      ...['take ticket 1', 'revert ticket 1', 'take ticket 2', 'commit ticket 2'],
      ...['take ticket 3', 'revert ticket 3'],
    ]);
  });

  it('is not given back when it is unknown whether the object is stored', async () => {
    const { store } = resource;
    const failing = { ...store, update: () => Promise.reject(new Error('timeout')) };
    const verbs = createTestResource({ definition: pages, allocator, store: failing });
    await expect(verbs.create('a')).rejects.toThrow('timeout');
    expect(calls).toEqual(['take ticket 1']);
  });

  it('is imagined in a dry run', async () => {
    expect(await resource.create('a', {}, { dryRun: true })).toMatchObject({ text: 'imagined' });
    expect(calls).toEqual(['take imagined', 'commit imagined']);
  });

  it('is released by an update that removes', async () => {
    const created = await resource.create('a', { metadata: { finalizers: ['x.io/y'] } });
    await resource.remove('a');
    await resource.replace('a', { metadata: { resourceVersion: '', finalizers: [] } });
    expect(created.text).toBe('ticket 1');
    expect(calls.slice(-3)).toEqual(['take ticket 1', 'revert ticket 1', 'release ticket 1']);
  });

  it('is taken anew after a conflict', async () => {
    await resource.create('a');
    let writes = 0;
    const update = async (stored: Page | undefined): Promise<Page> => {
      if (writes++ === 0) await resource.replace('a', { metadata: { labels: { own: 'x' } } });
      const { metadata, ...rest } = stored as Page;
      return { ...rest, metadata: { ...metadata, resourceVersion: '', labels: { other: 'y' } } };
    };
    await resource.verbs.update(resource.context(), { name: 'a', update: update as never });
    expect(calls.slice(2)).toEqual([
      ...['take ticket 1', 'commit ticket 1', 'take ticket 1', 'revert ticket 1'],
      ...['take ticket 1', 'commit ticket 1'],
    ]);
  });
});
