import { compareUtf8, doneSteps, type Steps } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import { unionAllSteps } from '../fieldpath/field-set-steps.ts';
import type { Managers } from './managed-fields.ts';
import { wholeSeconds } from './managed-fields-entry.ts';
import { identityOf, type Manager, type ManagerIdentity } from './manager.ts';

/** Maximum number of update entries of an object. */
const MAXIMUM_UPDATERS = 10;
const OLD_UPDATES = 'ancient-changes';

/** Merges the oldest entries of updates, two of a version at a time, until no more than ten remain (semantics/apply#update-algorithm, step 6). */
export function capManagers(managers: Managers): Steps<void> {
  return managers.count <= MAXIMUM_UPDATERS ? NOTHING_TO_MERGE : mergeOldest(managers);
}

const NOTHING_TO_MERGE: Steps<void> = doneSteps(undefined);

function* mergeOldest(managers: Managers): Steps<void> {
  const updaters = managers.list().filter(({ operation }) => operation === 'Update');
  let excess = updaters.length - MAXIMUM_UPDATERS;
  if (excess <= 0) return;
  const oldest = new Map<string, Manager>();
  const buckets = new Map<string, Bucket>();
  for (const updater of byAge(managers, updaters)) {
    if (excess <= 0) break;
    const first = oldest.get(updater.apiVersion);
    if (first) {
      mergeIntoBucket(managers, buckets, first, updater);
      excess--;
    } else oldest.set(updater.apiVersion, updater);
  }
  for (const bucket of buckets.values()) {
    managers.setFields(bucket.identity, yield* unionAllSteps(bucket.fields));
    // The newest one's time.
    managers.setTime(bucket.identity, bucket.time);
  }
}

function byAge(managers: Managers, updaters: readonly Manager[]): Manager[] {
  const aged = updaters.map((updater) => ({ updater, seconds: wholeSeconds(managers.time(updater)) }));
  aged.sort((a, b) => a.seconds - b.seconds || compareUtf8(identityOf(a.updater), identityOf(b.updater)));
  return aged.map(({ updater }) => updater);
}

/** Name of the manager that the oldest updates of a version are merged into. */
interface Bucket {
  readonly identity: ManagerIdentity;
  readonly fields: FieldSet[];
  time: string | undefined;
}

function mergeIntoBucket(
  managers: Managers,
  buckets: Map<string, Bucket>,
  first: Manager,
  updater: Manager,
): void {
  const { apiVersion } = updater;
  const bucket = buckets.get(apiVersion) ?? bucketFor(managers, first);
  buckets.set(apiVersion, bucket);
  bucket.fields.push(updater.fields);
  bucket.time = managers.time(updater);
  managers.delete(updater);
}

function bucketFor(managers: Managers, first: Manager): Bucket {
  const { apiVersion } = first;
  const identity = { manager: OLD_UPDATES, operation: 'Update', subresource: '', apiVersion } as const;
  const existing = managers.get(identity);
  if (!existing) managers.delete(first);
  return { identity, fields: [(existing ?? first).fields], time: undefined };
}
