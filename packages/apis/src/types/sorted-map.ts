import { compareUtf8 } from '@ashlar/core';

type TextMap = Readonly<Record<string, string>>;

/** A map with one entry set, sorted by key as maps are printed (semantics/metadata#fields). */
export function withEntry(map: TextMap, key: string, value: string): TextMap {
  return withEntries(map, [[key, value]]);
}

/** A map with entries set, replacing existing ones; sorted by key as maps are printed. */
export function withEntries(
  map: TextMap,
  entries: readonly (readonly [key: string, value: string])[],
): TextMap {
  const all = new Map(Object.entries(map));
  for (const [key, value] of entries) all.set(key, value);
  return Object.fromEntries([...all].sort(([a], [b]) => compareUtf8(a, b)));
}
