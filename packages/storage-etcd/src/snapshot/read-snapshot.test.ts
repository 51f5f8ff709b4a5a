import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { boltFile, savedSnapshot, type WrittenChange } from './bolt-file.fixture.ts';
import { readSnapshot } from './read-snapshot.ts';
import { SnapshotError } from './snapshot-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'ashlar-snapshot-'));
const file = join(folder, 'snapshot.db');
afterAll(() => rmSync(folder, { recursive: true }));

function read(bytes: Buffer) {
  writeFileSync(file, bytes);
  const { revision, entries } = readSnapshot(file);
  return {
    revision,
    entries: entries.map(({ key, value, revision: at }) => [key, Buffer.from(value).toString(), at]),
  };
}

test('the newest value of each key is read, with its revision', () => {
  const bytes = boltFile([
    { key: '/registry/b', value: 'one' },
    { key: '/registry/a', value: 'two' },
    { key: '/registry/b', value: 'three' },
    { key: '/registry/c', value: 'four' },
    { key: '/registry/c' },
    { key: '/registry/d' },
  ]);
  const content = {
    revision: 7,
    entries: [
      ['/registry/a', 'two', 3],
      ['/registry/b', 'three', 4],
    ],
  };
  expect(read(bytes)).toEqual(content);
  expect(read(savedSnapshot(bytes))).toEqual(content);
});

test('what is no snapshot, or a damaged one, is refused', () => {
  const bytes = boltFile([{ key: '/a', value: 'x' }]);
  const saved = savedSnapshot(bytes);
  saved[5000] = (saved[5000] as number) ^ 1;
  expect(() => read(saved)).toThrow('snapshot.db cannot be used: its checksum is wrong');
  expect(() => read(Buffer.from('hello'))).toThrow('it is not the database of an etcd');
  expect(() => read(bytes.subarray(0, 4096 * 4))).toThrow('it ends before its page 4');
  expect(() => readSnapshot(join(folder, 'missing'))).toThrow('ENOENT');
});

test('either head may be damaged', () => {
  const bytes = boltFile([{ key: '/a', value: 'x' }]);
  for (const page of [0, 1]) {
    const damaged = Buffer.from(bytes);
    damaged.fill(0, page * 4096, page * 4096 + 100);
    expect(read(damaged).entries).toHaveLength(1);
  }
});

const changes: fc.Arbitrary<WrittenChange[]> = fc.array(
  fc.record(
    { key: fc.constantFrom('/a', '/b', '/c/d'), value: fc.string({ maxLength: 20 }) },
    { requiredKeys: ['key'] },
  ),
  { minLength: 1, maxLength: 40 },
);

test('a file with a key that cannot be decoded is refused as damaged', () => {
  const bytes = boltFile([{ key: '/a' }], 1);
  bytes[763367474 % bytes.length] = 0;
  expect(() => read(bytes)).toThrow(SnapshotError);
});

test('what was written is read, and no damage does more than refuse the file', () => {
  fc.assert(
    fc.property(
      changes,
      fc.nat(),
      fc.nat(255),
      fc.integer({ min: 1, max: 5 }),
      (written, at, byte, perLeaf) => {
        const bytes = boltFile(written, perLeaf);
        const state = new Map(written.map(({ key, value }) => [key, value]));
        const expected = [...state].filter(([, value]) => value !== undefined).sort();
        expect(read(bytes).entries.map(([key, value]) => [key, value])).toEqual(expected);
        bytes[at % bytes.length] = byte;
        try {
          read(bytes);
        } catch (error) {
          expect(SnapshotError.is(error)).toBe(true);
        }
      },
    ),
  );
});
