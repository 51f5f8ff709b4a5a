import { readdirSync, readFileSync } from 'node:fs';

/** Processor time of all threads of processes so far, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + cpuSecondsOf(pid), 0);
}

/**
 * From the scheduler, which counts nanoseconds; `stat` counts hundredths of a second, too coarse for short
 * rounds.
 */
function cpuSecondsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  return (
    readdirSync(folder).reduce((total, thread) => total + nanoseconds(`${folder}/${thread}/schedstat`), 0) /
    1e9
  );
}

/** A thread that has ended does not count; those that do the work stay. */
function nanoseconds(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}

/** Resident memory of processes, in megabytes. */
export function residentMegabytes(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return total + Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  }, 0);
}
