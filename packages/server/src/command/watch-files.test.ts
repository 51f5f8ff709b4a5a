import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchFiles } from './watch-files.ts';

const root = mkdtempSync(join(tmpdir(), 'watched-'));
afterAll(() => rmSync(root, { recursive: true }));
beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => vi.useRealTimers());

it('calls back after the first interval, and at each change, until it is disposed', () => {
  const [one, two] = [join(root, 'one'), join(root, 'two')];
  writeFileSync(one, 'a');
  let calls = 0;
  const called = (): number => {
    vi.advanceTimersByTime(10_000);
    return calls;
  };
  const watching = watchFiles([one, two], () => calls++);
  expect([called(), called()]).toEqual([1, 1]);
  writeFileSync(one, 'b');
  expect([called(), called()]).toEqual([2, 2]);
  writeFileSync(two, 'there');
  expect([called(), called()]).toEqual([3, 3]);
  rmSync(one);
  expect([called(), called()]).toEqual([4, 4]);
  watching[Symbol.dispose]();
  rmSync(two);
  expect(called()).toBe(4);
});
