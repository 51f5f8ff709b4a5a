/** Processor time of the loop below on the machine on which the bounds were set, in milliseconds. */
const REFERENCE_MILLISECONDS = 60;
const ROUNDS = 5;

/** How much slower this machine is than the one on which the bounds were set, when it does nothing else; at least 1. */
export function slowness(): number {
  const times = Array.from({ length: ROUNDS }, timeOfWork);
  return Math.max(1, Math.min(...times) / REFERENCE_MILLISECONDS);
}

/** The same as it is now: programs that run beside it share its caches and cores, and make the same work cost more. */
export function slownessNow(): number {
  const times = Array.from({ length: ROUNDS }, timeOfWork).sort((a, b) => a - b);
  return Math.max(1, (times[Math.floor(ROUNDS / 2)] ?? 0) / REFERENCE_MILLISECONDS);
}

/** Typical server work: parsing, creating objects, looking up keys. */
function timeOfWork(): number {
  const begun = process.cpuUsage();
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => ({ name: `n${i}`, value: i * 7919 })));
  let found = 0;
  for (let round = 0; round < 4; round++) {
    const values = JSON.parse(text) as { name: string; value: number }[];
    const byName = new Map(values.map(({ name, value }) => [name, value]));
    for (let i = 0; i < 20_000; i++) found += byName.get(`n${(i * 31) % 20_000}`) ?? 0;
  }
  const { user, system } = process.cpuUsage(begun);
  return found > 0 ? (user + system) / 1000 : 0;
}
