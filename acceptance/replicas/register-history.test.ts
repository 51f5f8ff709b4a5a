import { describe, expect, it } from 'vitest';
import { checkRegisters, type Observation, type Snapshot, type Write } from './register-history.fixture.ts';

const write = (version: number, start: number, end: number, more: Partial<Write> = {}): Write => ({
  ...{ key: 'a', version, start, end, deletes: false },
  ...more,
});
const read = (version: number, start: number, end: number): Observation => ({
  ...{ key: 'a', start, end, what: `a read of ${version}` },
  fits: (state) => state === version,
});
const check = (writes: Write[], observations: Observation[] = [], snapshots: Snapshot[] = []): string[] =>
  checkRegisters(['a', 'b'], writes, observations, snapshots);

describe('a valid history', () => {
  it('has reads of a state during the read', () => {
    const writes = [write(5, 1, 4, { ifVersion: 0 }), write(7, 6, 9, { ifVersion: 5 })];
    const reads = [read(0, 0, 2), read(5, 2, 3), read(5, 7, 8), read(7, 7, 8), read(7, 10, 11)];
    expect(check(writes, reads)).toEqual([]);
  });

  it('has writes without a response, effective at any time', () => {
    const lost = write(9, 2, Number.POSITIVE_INFINITY);
    expect(check([write(5, 0, 1), lost], [read(5, 3, 4), read(5, 10, 11), read(9, 12, 13)])).toEqual([]);
  });

  it('has objects that are deleted and recreated', () => {
    const writes = [write(5, 0, 1), write(6, 2, 3, { deletes: true }), write(7, 4, 5, { ifVersion: 0 })];
    expect(check(writes, [read(0, 2, 6), read(7, 6, 7)])).toEqual([]);
  });

  it('has lists of one version of everything', () => {
    const writes = [write(5, 0, 1), write(6, 2, 3, { key: 'b' }), write(7, 4, 5)];
    const list = {
      start: 3,
      end: 6,
      version: 6,
      versions: new Map([
        ['a', 5],
        ['b', 6],
      ]),
    };
    expect(check(writes, [], [list])).toEqual([]);
  });
});

describe('an invalid history', () => {
  const two = [write(5, 1, 2), write(7, 3, 4)];
  it.each([
    ['a read that is stale', two, [read(5, 5, 6)]],
    ['a read of what is not written yet', two, [read(7, 0, 2)]],
    ['a read of what nobody wrote', two, [read(6, 1, 9)]],
    // each is valid alone: the write is in flight during both
    [
      'a read that goes back behind an earlier one',
      [write(5, 0, 1), write(7, 2, 9)],
      [read(7, 3, 4), read(5, 5, 6)],
    ],
    ['a read that knows of what comes later', [write(5, 5, 6), write(7, 0, 9)], [read(7, 2, 3)]],
    ['writes whose versions contradict time', [write(7, 0, 1), write(5, 2, 3)], []],
    ['a condition that did not hold', [write(5, 0, 1), write(7, 2, 3, { ifVersion: 4 })], []],
    ['two creations', [write(5, 0, 1), write(7, 2, 3, { ifVersion: 0 })], []],
    ['a version given twice', [write(5, 0, 9), write(5, 0, 9)], []],
  ])('has %s', (_, writes, observations) => {
    expect(check(writes, observations)).toHaveLength(1);
  });

  it.each([
    ['mixes versions', { start: 6, end: 7, version: 7, versions: new Map([['a', 7]]) }],
    [
      'is of the past',
      {
        start: 6,
        end: 7,
        version: 6,
        versions: new Map([
          ['a', 5],
          ['b', 6],
        ]),
      },
    ],
  ])('has a list that %s', (_, list) => {
    const writes = [write(5, 0, 1), write(6, 2, 3, { key: 'b' }), write(7, 4, 5)];
    expect(check(writes, [], [list]).length).toBeGreaterThan(0);
  });
});
