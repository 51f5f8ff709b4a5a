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
  const result = run(work, ambient, wanted).finally(() => works.delete(work.name));
  works.set(work.name, { result, wanted });
  return result;
}

async function run<T>(
  { steps }: LargeWork<T>,
  ambient: Ambient,
  wanted: readonly (() => boolean)[],
): Promise<T | undefined> {
  await pause(ambient);
  return runInSlices(whileWanted(steps(), wanted), ambient);
}

function* whileWanted<T>(steps: Steps<T>, wanted: readonly (() => boolean)[]): Steps<T | undefined> {
  while (wanted.some((isWanted) => isWanted())) {
    const { done, value } = steps.next();
    if (done) return value;
    yield;
  }
  return undefined;
}
