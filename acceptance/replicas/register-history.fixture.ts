/**
 * Whether what clients saw can be explained by one register with compare-and-swap per object, each operation taking effect at one
 * moment between its start and its end.
 *
 * In general that question needs a search over all orders. Here the store gives the order of all writes away: their versions. What is left is
 * to find for each observation a state among those that the writes made, one after the other, and that is done
 * greedily: an observation may not see a state older than what was certain when it began (a write that had ended, or what an observation
 * that had ended saw), nor one that any write made that began only after it had ended. Taking always the oldest state that fits
 * takes nothing from those that come later, so if the greedy choice fails none succeeds. A register is linearizable
 * exactly if each key is (locality), so the cost is that of sorting.
 */

/** Something that took effect. `start` and `end` are moments of one counter; `end` is infinite where nobody has answered. */
export interface Write {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly version: number;
  readonly deletes: boolean;
  /** The version that was asked for; 0 for a creation, undefined for none. */
  readonly ifVersion?: number;
}

/** Something that was seen: the version of what was there, 0 for nothing. */
export interface Observation {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** In words, for faults. */
  readonly what: string;
  readonly fits: (version: number) => boolean;
}

/** A list: the versions of all objects at one version of the collection. */
export interface Snapshot {
  readonly start: number;
  readonly end: number;
  readonly version: number;
  readonly versions: ReadonlyMap<string, number>;
}

/** One sentence for each fault; none where the run is sound. */
export function checkRegisters(
  keys: readonly string[],
  writes: readonly Write[],
  observations: readonly Observation[],
  snapshots: readonly Snapshot[],
): string[] {
  const ordered = writes.toSorted((a, b) => a.version - b.version);
  const seen = [...observations, ...snapshots.flatMap((snapshot) => observationsOf(keys, snapshot))];
  return [
    ...orderFaults(ordered),
    ...snapshots.flatMap((snapshot) => snapshotFaults(keys, snapshot, ordered)),
    ...keys.flatMap((key) => {
      const ofKey = <T extends { readonly key: string }>(all: readonly T[]): T[] =>
        all.filter((one) => one.key === key);
      return keyFaults(ofKey(ordered), ofKey(seen));
    }),
  ];
}

/** Versions are given once, in an order that does not contradict time: one counter orders all writes, not only those of a key. */
function orderFaults(writes: readonly Write[]): string[] {
  const faults: string[] = [];
  let latest: Write | undefined;
  writes.forEach((write, i) => {
    if (write.version === writes[i - 1]?.version) faults.push(`version ${write.version} was given twice`);
    if (latest && write.end < latest.start)
      faults.push(`write ${write.version} had ended before write ${latest.version} began`);
    if (!latest || write.start > latest.start) latest = write;
  });
  return faults;
}

/** A list shows exactly the state of its version, and that is no older than what had been acknowledged. */
function snapshotFaults(keys: readonly string[], snapshot: Snapshot, writes: readonly Write[]): string[] {
  const { version, versions, start } = snapshot;
  const faults: string[] = [];
  const newest = writes.findLast((write) => write.end < start)?.version ?? 0;
  if (newest > version) faults.push(`a list of version ${version} began behind write ${newest}`);
  for (const key of keys) {
    const last = writes.findLast((write) => write.key === key && write.version <= version);
    const state = last && !last.deletes ? last.version : 0;
    const shown = versions.get(key) ?? 0;
    if (shown !== state)
      faults.push(`a list of version ${version} shows ${key} at ${shown}, not at ${state}`);
  }
  return faults;
}

function observationsOf(keys: readonly string[], { start, end, version, versions }: Snapshot): Observation[] {
  return keys.map((key) => {
    const shown = versions.get(key) ?? 0;
    return { key, start, end, what: `a list of version ${version}`, fits: (state) => state === shown };
  });
}

/** One object: conditions held where the versions place them, and each observation finds a state. */
function keyFaults(writes: readonly Write[], observations: readonly Observation[]): string[] {
  // state i is what write i - 1 left; state 0 is nothing
  const states = [0, ...writes.map((write) => (write.deletes ? 0 : write.version))];
  const faults = writes
    .filter(({ ifVersion }, i) => ifVersion !== undefined && ifVersion !== states[i])
    .map(
      ({ key, version, ifVersion }) => `write ${version} of ${key} wanted ${ifVersion}, which was not there`,
    );
  // when the last of all writes up to a state began, at the earliest moment that the state can have been there
  const begun = [Number.NEGATIVE_INFINITY];
  for (const { start } of writes) begun.push(Math.max(begun.at(-1) as number, start));
  const certain = new CertainState(writes);
  for (const { key, start, end, what, fits } of observations.toSorted((a, b) => a.start - b.start)) {
    const oldest = certain.at(start);
    const found = states.findIndex((state, i) => i >= oldest && (begun[i] as number) <= end && fits(state));
    if (found < 0) faults.push(`${what} of ${key} from ${start} to ${end} fits no state that there was`);
    else certain.learn(end, found);
  }
  return faults;
}

/** The oldest state that may still be seen at a moment: moments are asked for in growing order. */
class CertainState {
  #pending: { readonly end: number; readonly state: number }[];
  #state: number = 0;

  constructor(writes: readonly Write[]) {
    this.#pending = writes.map(({ end }, i) => ({ end, state: i + 1 }));
  }

  learn(end: number, state: number): void {
    if (state > this.#state) this.#pending.push({ end, state });
  }

  at(moment: number): number {
    const past = this.#pending.filter(({ end }) => end < moment);
    if (past.length > 0) {
      this.#state = Math.max(this.#state, ...past.map(({ state }) => state));
      this.#pending = this.#pending.filter(({ end, state }) => end >= moment && state > this.#state);
    }
    return this.#state;
  }
}
