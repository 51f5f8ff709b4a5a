import { type Caller, pause } from './caller.ts';
import { cpuSeconds } from './server-process.ts';

const ROUND_SECONDS = 0.25;

/**
 * Throughput of a caller per CPU-second of the server: callers share the same processors. Idle before and
 * afterwards.
 * @param status expected of every response
 * @param pid of the serving process
 */
export async function perCpuSecond(caller: Caller, status: string, pid: number): Promise<number> {
  caller.rest(false);
  await pause(0.05);
  const [before, cpu] = [await caller.answered(status), cpuSeconds([pid])];
  await pause(ROUND_SECONDS);
  const rate = ((await caller.answered(status)) - before) / (cpuSeconds([pid]) - cpu);
  caller.rest(true);
  return rate;
}

/** The median of rounds, and their range. */
export function summary(ratios: readonly number[]): string {
  const sorted = [...ratios].sort((a, b) => a - b).map((ratio) => ratio.toFixed(2));
  return `${sorted[Math.floor(sorted.length / 2)]} (${sorted[0]} to ${sorted.at(-1)} in ${sorted.length} rounds)`;
}

/** The median of some numbers. */
export function medianOf(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;
}
