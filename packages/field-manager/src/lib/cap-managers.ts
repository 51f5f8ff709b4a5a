import { compareUtf8 } from '@ashlar/core';
import { identityOf, type Manager, type Managers, wholeSeconds } from './managed-fields.ts';

/** Entries of updates that an object keeps apart. */
const MAXIMUM_UPDATERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Merges the oldest entries of updates, two of a version at a time, until no more than ten remain (semantics F5, step 6). */
export function capManagers(managers: Managers): void {
  const updaters = managers.list().filter(({ operation }) => operation === 'Update');
  let excess = updaters.length - MAXIMUM_UPDATERS;
  if (excess <= 0) return;
  updaters.sort((a, b) => age(managers, a, b));
  const oldest = new Map<string, Manager>();
  for (const updater of updaters) {
    if (excess <= 0) return;
    const first = oldest.get(updater.apiVersion);
    if (first) {
      mergeIntoBucket(managers, first, updater);
      excess--;
    } else oldest.set(updater.apiVersion, updater);
  }
}

function age(managers: Managers, a: Manager, b: Manager): number {
  const difference = wholeSeconds(managers.time(a)) - wholeSeconds(managers.time(b));
  return difference || compareUtf8(identityOf(a), identityOf(b));
}

function mergeIntoBucket(managers: Managers, first: Manager, updater: Manager): void {
  const identity = { manager: OLD_UPDATES, operation: 'Update', subresource: '' } as const;
  const bucket = managers.get({ ...identity, apiVersion: updater.apiVersion });
  if (!bucket) managers.delete(first);
  const fields = (bucket ?? first).fields.union(updater.fields);
  managers.delete(updater);
  managers.set({ ...identity, apiVersion: updater.apiVersion, fields });
  // The newer one's time.
  managers.setTime({ ...identity, apiVersion: updater.apiVersion }, managers.time(updater));
}
