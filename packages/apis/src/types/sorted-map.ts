import { compareUtf8, runAtOnce, type Steps, setMember, sortSteps } from '@ashlar/core';

type TextMap = Readonly<Record<string, string>>;

/** Entries between two pauses. */
const ENTRIES_PER_STEP = 1024;

/** A map with one entry set, sorted by key as maps are printed (semantics/metadata#fields). */
export function withEntry(map: TextMap, key: string, value: string): TextMap {
  return withEntries(map, [[key, value]]);
}

/** A map with entries set, replacing existing ones; sorted by key as maps are printed. */
export function withEntries(
  map: TextMap,
  entries: readonly (readonly [key: string, value: string])[],
): TextMap {
  return runAtOnce(withEntriesSteps(map, entries));
}

/** As {@link withEntries}, with pauses, also between any two entries that are hard to come by. */
export function* withEntriesSteps(
  map: TextMap,
  entries: Iterable<readonly [key: string, value: string]>,
): Steps<TextMap> {
  const all = new Map(Object.entries(map));
  let count = 0;
  for (const [key, value] of entries) {
    all.set(key, value);
    if (++count % ENTRIES_PER_STEP === 0) yield;
  }
  const sorted = [...all];
  yield* sortSteps(sorted, ([a], [b]) => compareUtf8(a, b));
  return yield* mapOf(sorted);
}

function* mapOf(entries: readonly (readonly [key: string, value: string])[]): Steps<TextMap> {
  const map: Record<string, string> = {};
  let count = 0;
  for (const [key, value] of entries) {
    setMember(map, key, value);
    if (++count % ENTRIES_PER_STEP === 0) yield;
  }
  return map;
}
