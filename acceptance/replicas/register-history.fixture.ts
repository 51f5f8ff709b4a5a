/**
 * Whether observations of clients are consistent with one compare-and-swap register per object, each
 * operation taking effect at one time between its start and its end.
 *
 * In general that needs a search over all orders. Here the store reveals the order of all writes: their
 * versions. It remains to find for each observation a state among those of the writes, which is done
 * greedily: an observation may not see a state older than was certain when it began (a completed write, or
 * what a completed observation saw), nor one of a write that began only after it had ended. Taking always the
 * oldest possible state restricts later ones least, so if the greedy choice fails none succeeds. A store is
 * linearizable exactly if each key is (locality), so the cost is that of sorting.
 */

/** An effective write. `start` and `end` are times of one counter; `end` is infinite without a response. */
export interface Write {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly version: number;
  readonly deletes: boolean;
  /** The required version; 0 for a creation, undefined for none. */
  readonly ifVersion?: number;
}

/** An observation: the version of the object, 0 for none. */
export interface Observation {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** Description for errors. */
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

/** One sentence for each violation; none if the history is valid. */
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

/** Versions are unique and consistent with time: one counter orders all writes, not only those of a key. */
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

/** A list shows exactly the state of its version, which is no older than what had been acknowledged. */
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

/** One object: conditions held at their versions, and each observation matches a state. */
function keyFaults(writes: readonly Write[], observations: readonly Observation[]): string[] {
  // state i is the result of write i - 1; state 0 is absence
  const states = [0, ...writes.map((write) => (write.deletes ? 0 : write.version))];
  const faults = writes
    .filter(({ ifVersion }, i) => ifVersion !== undefined && ifVersion !== states[i])
    .map(
      ({ key, version, ifVersion }) => `write ${version} of ${key} wanted ${ifVersion}, which was not there`,
    );
  // when the last of all writes up to a state began: the earliest time of the state
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

/** The oldest state that may still be seen at a time: times must be ascending. */
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
