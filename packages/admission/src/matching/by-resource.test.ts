import { doneSteps, type GroupResource, type Steps } from '@ashlar/core';
import { describe, expect, it, vi } from 'vitest';
import { ByResource } from './by-resource.ts';

const pods = { group: '', resource: 'pods' };

/** A clock on which every look takes longer than a slice. */
function slowClock() {
  let now = 0;
  return { now: () => 0, monotonic: () => (now += 20), setTimer: () => ({ clear() {} }) };
}

describe('what is found by resource', () => {
  it('is found once for each, until something changes', () => {
    const find = vi.fn(({ group, resource }: GroupResource) => doneSteps([`${group}/${resource}`]));
    const index = new ByResource(find, undefined);
    for (let i = 0; i < 2; i++) {
      expect(index.of(pods)).toEqual(['/pods']);
      expect(index.of({ group: 'a', resource: 'pods' })).toEqual(['a/pods']);
    }
    expect(find).toHaveBeenCalledTimes(2);
    index.clear();
    expect(index.of(pods)).toEqual(['/pods']);
    expect(find).toHaveBeenCalledTimes(3);
  });

  it('is found with pauses once for all that wait, and anew after a change meanwhile', async () => {
    let state = 'before';
    const find = vi.fn(function* (): Steps<string[]> {
      const found = state;
      for (let i = 0; i < 3; i++) yield;
      return [found];
    });
    const index = new ByResource(find, { clock: slowClock() });
    const first = index.of(pods);
    expect(index.of(pods)).toBe(first);
    state = 'after';
    index.clear();
    const second = index.of(pods);
    expect([await first, await second]).toEqual([['before'], ['after']]);
    expect(index.of(pods)).toEqual(['after']);
    expect(find).toHaveBeenCalledTimes(2);
  });

  it('is looked for again after a failure', async () => {
    let fails = true;
    const index = new ByResource(
      function* (): Steps<string[]> {
        for (let i = 0; i < 3; i++) yield;
        if (fails) throw new Error('no');
        return ['yes'];
      },
      { clock: slowClock() },
    );
    await expect(index.of(pods)).rejects.toThrow('no');
    fails = false;
    expect(await index.of(pods)).toEqual(['yes']);
  });
});
