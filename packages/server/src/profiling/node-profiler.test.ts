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
    const record = async () => {
      const recording = await profiler.recordTime();
      await expect(profiler.recordTime()).rejects.toThrow('cpu profiling already in use');
      workForProfiles();
      return recording.stop();
    };
    const { values, samples, period } = await record();
    expect(values.map(({ type }) => type)).toEqual(['samples', 'cpu']);
    expect(period?.amount).toBe(10_000_000);
    expect(names(samples)).not.toContain('(idle)');
    // a busy machine may leave the thread no time in one recording
    await expect.poll(async () => names((await record()).samples)).toContain('workForProfiles');
  });

  it('records what is allocated', async () => {
    const record = async () => {
      const recording = await createNodeProfiler().recordAllocations(true);
      workForProfiles();
      return recording.stop();
    };
    expect((await record()).values).toEqual([{ type: 'alloc_space', unit: 'bytes' }]);
    await expect.poll(async () => names((await record()).samples)).toContain('workForProfiles');
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
