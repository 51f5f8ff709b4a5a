import { getHeapSpaceStatistics } from 'node:v8';
import type { Profile } from '@ashlar/http';

/** The memory in use, by where it is: spaces of the heap, and memory outside of it. */
export function memoryProfile(): Profile {
  const spaces = getHeapSpaceStatistics().map(
    ({ space_name, space_used_size }) => [space_name, space_used_size] as const,
  );
  const { external } = process.memoryUsage();
  const samples = [...spaces, ['external', external] as const]
    .filter(([, bytes]) => bytes > 0)
    .map(([name, bytes]) => ({ stack: [{ name }], values: [bytes] }));
  return { values: [{ type: 'inuse_space', unit: 'bytes' }], samples };
}

/** What keeps the process alive, counted by kind. */
export function activityProfile(): Profile {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const samples = [...counts].map(([name, count]) => ({ stack: [{ name }], values: [count] }));
  return { values: [{ type: 'goroutine', unit: 'count' }], samples };
}
