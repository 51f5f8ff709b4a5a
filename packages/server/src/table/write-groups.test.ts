import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WriteGroups } from './write-groups.ts';

const putIn = (groups: WriteGroups<string>, key: string) => groups.run(key, (write) => write(key));

test('writes that arrive together are one call, up to the maximum; those of one key follow one another', async () => {
  const calls: (readonly string[])[] = [];
  const groups = new WriteGroups<string>(async (changes) => void calls.push(changes), 3);
  await Promise.all(['a', 'b', 'c', 'd', 'd', 'e'].map((key) => putIn(groups, key)));
  expect(calls).toEqual([['a', 'b', 'c'], ['d'], ['d', 'e']]);
});

test('a write that changes nothing holds nobody up', async () => {
  const calls: (readonly string[])[] = [];
  const groups = new WriteGroups<string>(async (changes) => void calls.push(changes), 8);
  const results = await Promise.allSettled([
    putIn(groups, 'a'),
    groups.run('b', async () => 'nothing'),
    groups.run('c', () => Promise.reject(new Error('refused'))),
  ]);
  expect(calls).toEqual([['a']]);
  expect(results).toEqual([
    { status: 'fulfilled', value: undefined },
    { status: 'fulfilled', value: 'nothing' },
    { status: 'rejected', reason: new Error('refused') },
  ]);
});

test('only the change that cannot be written fails', async () => {
  const stored: string[] = [];
  const groups = new WriteGroups<string>(async (changes) => {
    if (changes.includes('bad')) throw new Error('bad');
    stored.push(...changes);
  }, 8);
  const results = await Promise.allSettled(['a', 'bad', 'c'].map((key) => putIn(groups, key)));
  expect(stored).toEqual(['a', 'c']);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('no increment is lost, whichever keys are written in which turns', async () => {
  const writes = fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(3) }), {
    maxLength: 40,
  });
  await fc.assert(
    fc.asyncProperty(writes, fc.integer({ min: 1, max: 5 }), async (all, maximum) => {
      const counts = new Map<string, number>();
      const groups = new WriteGroups<[string, number]>(async (changes) => {
        await Promise.resolve();
        for (const [key, value] of changes) counts.set(key, value);
      }, maximum);
      const increment = async ({ key, turns }: { key: string; turns: number }) => {
        for (let turn = 0; turn < turns; turn++) await Promise.resolve();
        await groups.run(key, (write) => write([key, (counts.get(key) ?? 0) + 1]));
      };
      await Promise.all(all.map(increment));
      for (const key of ['a', 'b', 'c']) {
        expect(counts.get(key) ?? 0).toBe(all.filter((one) => one.key === key).length);
      }
    }),
  );
});
