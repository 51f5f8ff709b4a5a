import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchedChange, WatchResponse } from '../messages/watch-messages.ts';
import { EtcdKeys } from './etcd-keys.ts';
import { WatchBatches } from './watch-batches.ts';

const keys = new EtcdKeys('/r');
const put = (revision: number, name: string): WatchedChange => ({
  type: 0,
  current: {
    key: `/r/${name}`,
    createRevision: revision,
    modRevision: revision,
    version: 1,
    value: new Uint8Array(),
  },
});
const response = (events: readonly WatchedChange[], fragment = false): WatchResponse => ({
  created: false,
  canceled: false,
  compactRevision: 0,
  cancelReason: '',
  fragment,
  events,
});

/** Revisions with one or several changes each, in order. */
const history = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 3 })), { maxLength: 40 })
  .map((steps) => {
    let revision = 1;
    return steps.flatMap(([gap, size]) => {
      revision += gap;
      return Array.from({ length: size }, (_, i) => put(revision, `${revision}.${i}`));
    });
  });

describe('WatchBatches', () => {
  test('contain every change once and end at a revision, over any fragments and restarts', () => {
    const cuts = fc.array(fc.record({ size: fc.integer({ min: 1, max: 6 }), breaks: fc.boolean() }), {
      minLength: 1,
    });
    fc.assert(
      fc.property(history, cuts, (changes, plan) => {
        const batches = new WatchBatches(keys, 1);
        const received: string[][] = [];
        let at = 0;
        for (let step = 0; at < changes.length; step++) {
          const { size, breaks } = plan[step % plan.length] as { size: number; breaks: boolean };
          const end = Math.min(changes.length, at + size);
          const batch = batches.take(response(changes.slice(at, end), end < changes.length));
          if (batch.length > 0) received.push(batch.map((event) => event.key));
          at = end;
          if (!breaks || step > 300) continue;
          // a new stream starts at the position: with its last revision, which is already known
          batches.restart();
          const from = changes.findIndex((change) => (change.current?.modRevision ?? 0) >= batches.position);
          at = from < 0 ? changes.length : from;
          // without room for a complete revision a stream that is always cut would never end
          if (size < 4) plan = [{ size: 7, breaks: false }];
        }
        expect(received.flat()).toEqual(changes.map((change) => change.current?.key.slice(2)));
        for (const batch of received) expect(complete(batch, changes)).toBe(true);
      }),
    );
  });

  test('accept no progress while fragments are pending, and none that goes back', () => {
    const batches = new WatchBatches(keys, 5);
    expect(batches.take(response([put(7, 'a'), put(8, 'b')], true)).map((event) => event.key)).toEqual([
      '/a',
    ]);
    expect([batches.position, batches.reach(9)]).toEqual([7, false]);
    expect(batches.take(response([put(8, 'c')])).map((event) => event.key)).toEqual(['/b', '/c']);
    expect([batches.reach(8), batches.reach(12), batches.position]).toEqual([false, true, 12]);
    expect(batches.take(response([put(12, 'old')]))).toEqual([]);
  });

  test('end if the state before a change has been compacted', () => {
    const after = new WatchBatches(keys, 5);
    const { current } = put(7, 'a');
    const second = { type: 0, current: { ...current, version: 2 } } as WatchedChange;
    expect(() => after.take(response([second]))).toThrow('revision 5 has been compacted; the oldest is 7');
    const deletion = { type: 1, current: { ...current, version: 0 } } as WatchedChange;
    expect(() => after.take(response([deletion]))).toThrow('revision 5 has been compacted; the oldest is 7');
  });
});

/** Whether a batch contains all changes of its last revision. */
function complete(batch: readonly string[], changes: readonly WatchedChange[]): boolean {
  const last = changes.find((change) => change.current?.key.slice(2) === batch.at(-1))?.current?.modRevision;
  const all = changes.filter((change) => change.current?.modRevision === last);
  return all.every((change) => batch.includes(change.current?.key.slice(2) as string));
}
