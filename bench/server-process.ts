import { readFileSync } from 'node:fs';

/** Processor time that processes have used by now, in seconds: user and system, all threads. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + cpuSecondsOf(pid), 0);
}

function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of processes, in megabytes. */
export function residentMegabytes(pids: readonly number[]): number {
  return pids.reduce((total, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return total + Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  }, 0);
}
