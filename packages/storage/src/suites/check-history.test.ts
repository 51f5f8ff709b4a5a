import { describe, expect, test } from 'vitest';
import { checkHistory, type Operation } from './check-history.ts';

const key = '/k';
const write = (revision: number, start: number, end: number, more: Partial<Operation> = {}): Operation => ({
  key,
  start,
  end,
  write: { revision, text: `v${revision}` },
  ...more,
});
const read = (seen: number, start: number, end: number): Operation => ({ key, start, end, seen });
const put = (revision: number) => ({ type: 'put', key, revision }) as const;

describe('history checker', () => {
  test('accepts a valid history', () => {
    const operations = [
      read(0, 1, 2),
      write(2, 3, 8, { ifRevision: 0 }),
      read(2, 4, 5),
      read(0, 4, 6),
      write(3, 9, 12, { ifRevision: 2 }),
      { key, start: 10, end: 13, ifRevision: 2, seen: 3 },
      write(4, 14, 15, { ifRevision: 3, write: { revision: 4, text: undefined } }),
      read(0, 16, 17),
    ];
    expect(checkHistory(operations, [put(2), put(3), { type: 'delete', key, revision: 4 }])).toEqual([]);
  });

  test.each<[string, Operation[], number[], string]>([
    ['a revision given twice', [write(2, 1, 2), write(2, 3, 4)], [2, 2], 'revision 2 was given twice'],
    [
      'writes against real time',
      [write(3, 1, 2), write(2, 3, 4)],
      [2, 3],
      'write 3 had ended before write 2 began',
    ],
    [
      'a lost update',
      [write(2, 1, 2), write(3, 3, 4, { ifRevision: 0 })],
      [2, 3],
      'wanted revision 0, but 2 was',
    ],
    [
      'a stale read',
      [write(2, 1, 2), write(3, 3, 4), read(2, 5, 6)],
      [2, 3],
      'revision 2 of /k was shown when',
    ],
    ['a read of the future', [read(2, 1, 2), write(2, 3, 4)], [2], 'revision 2 of /k was shown when'],
    ['a read of nothing', [write(2, 1, 2), read(0, 3, 4)], [2], 'revision 0 of /k was shown when'],
    [
      'a refusal at the right revision',
      [write(2, 1, 2), { key, start: 3, end: 4, ifRevision: 2, seen: 2 }],
      [2],
      'was refused at the revision 2',
    ],
    ['an event too few', [write(2, 1, 2)], [], 'event 0 of the watch is missing'],
    ['an event too many', [write(2, 1, 2)], [2, 2], 'event 1 of the watch is put of /k at 2, the write none'],
    [
      'events out of order',
      [write(2, 1, 2), write(3, 1, 2)],
      [3, 2],
      'event 0 of the watch is put of /k at 3',
    ],
  ])('finds %s', (_, operations, events, fault) => {
    expect(checkHistory(operations, events.map(put)).join('\n')).toContain(fault);
  });
});
