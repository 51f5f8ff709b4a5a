import { type Ambient, pause, runInSlices, type Steps } from '@ashlar/core';
import type { ObjectRecord } from '@ashlar/storage';

/** Work that is under way. */
interface SharedWork {
  readonly result: Promise<unknown>;
  /** Of everyone who has asked for it: whether that one still wants it. */
  readonly wanted: (() => boolean)[];
}

/** By record and name. */
const underWay = new WeakMap<ObjectRecord, Map<string, SharedWork>>();

/** Work on a large record. */
export interface LargeWork<T> {
  /** The same name means the same work. */
  readonly name: string;
  steps(): Steps<T>;
}

/**
 * Does work with pauses, once for all who ask for it meanwhile. Nothing is kept when it is done.
 * @param isWanted when nobody wants it any more, it ends, and the result is undefined
 */
export function shareWork<T>(
  record: ObjectRecord,
  work: LargeWork<T>,
  ambient: Ambient,
  isWanted: () => boolean,
): Promise<T | undefined> {
  const works = underWay.get(record) ?? new Map<string, SharedWork>();
  underWay.set(record, works);
  const shared = works.get(work.name);
  if (shared) {
    shared.wanted.push(isWanted);
    return shared.result as Promise<T | undefined>;
  }
  const wanted = [isWanted];
  const forget = (): boolean => works.delete(work.name);
  const result = run(whileWanted(work.steps(), wanted, forget), ambient).finally(forget);
  works.set(work.name, { result, wanted });
  return result;
}

async function run<T>(steps: Steps<T | undefined>, ambient: Ambient): Promise<T | undefined> {
  await pause(ambient);
  return runInSlices(steps, ambient);
}

/** @param forget called before work that nobody wants ends without a result, so that nobody joins it */
function* whileWanted<T>(
  steps: Steps<T>,
  wanted: (() => boolean)[],
  forget: () => void,
): Steps<T | undefined> {
  while (isWantedByAny(wanted)) {
    const { done, value } = steps.next();
    if (done) return value;
    yield;
  }
  forget();
  return undefined;
}

/** Whoever wants it no more is not asked again. */
function isWantedByAny(wanted: (() => boolean)[]): boolean {
  while (wanted[0] && !wanted[0]()) wanted.shift();
  return wanted.length > 0;
}
