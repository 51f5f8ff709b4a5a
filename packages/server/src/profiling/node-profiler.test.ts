import { describe, expect, it } from 'vitest';
import { createNodeProfiler } from './node-profiler.ts';

/** Allocates and computes, under a name that profiles show. */
function workForProfiles(): number {
  const until = performance.now() + 60;
  const kept: object[] = [];
  while (performance.now() < until) kept.push({ at: performance.now(), text: String(kept.length) });
  return kept.length;
}

const names = (samples: readonly { readonly stack: readonly { readonly name: string }[] }[]) =>
  samples.flatMap(({ stack }) => stack.map(({ name }) => name));

describe('a profiler of the process', () => {
  it('records where time is spent, once at a time', async () => {
    const profiler = createNodeProfiler();
    const recording = await profiler.recordTime();
    await expect(profiler.recordTime()).rejects.toThrow('cpu profiling already in use');
    workForProfiles();
    const { values, samples, period } = await recording.stop();
    expect(values.map(({ type }) => type)).toEqual(['samples', 'cpu']);
    expect(period?.amount).toBe(10_000_000);
    expect(names(samples)).toContain('workForProfiles');
    expect(names(samples)).not.toContain('(idle)');
    await (await profiler.recordTime()).stop();
  });

  it('records what is allocated', async () => {
    const recording = await createNodeProfiler().recordAllocations(true);
    workForProfiles();
    const { values, samples } = await recording.stop();
    expect(values).toEqual([{ type: 'alloc_space', unit: 'bytes' }]);
    expect(names(samples)).toContain('workForProfiles');
  });

  it('knows the memory in use and what the process waits for', async () => {
    const profiler = createNodeProfiler();
    const { samples } = await profiler.memory(true);
    expect(names(samples)).toEqual(expect.arrayContaining(['old_space', 'external']));
    const timer = setTimeout(() => {}, 60_000);
    expect(names(profiler.activities().samples)).toContain('Timeout');
    clearTimeout(timer);
  });
});
