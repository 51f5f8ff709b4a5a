import { readdirSync, readFileSync } from 'node:fs';

/** Processor time that the threads of processes have used by now, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + cpuSecondsOf(pid), 0);
}

/** By the scheduler, which counts nanoseconds; `stat` counts hundredths of a second, too coarse for short rounds. */
function cpuSecondsOf(pid: number): number {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder).map((thread) => readFileSync(`${folder}/${thread}/schedstat`, 'utf8'));
  return threads.reduce((total, text) => total + Number(text.split(' ')[0]), 0) / 1e9;
}

/** Resident memory of processes, in megabytes. */
export function residentMegabytes(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return total + Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  }, 0);
}
