import type { Ambient } from './ambient.ts';

/**
 * Work that may pause: a generator that yields wherever other work may run, about once per thousand values or
 * per 64 KiB of text.
 * For whatever takes long on huge inputs.
 * @example
 * function* sum(values: readonly number[]): Steps<number> {
 *   let total = 0;
 *   for (const [index, value] of values.entries()) {
 *     total += value;
 *     if (index % 1024 === 1023) yield;
 *   }
 *   return total;
 * }
 */
export type Steps<T> = IterableIterator<undefined, T, undefined>;

/** Length of a slice in milliseconds: well below what other callers notice. */
const SLICE_MILLISECONDS = 10;

/**
 * Completed work: small inputs are handled without a generator. What completes them throws when it is called, so the
 * call belongs inside of the `try` that catches its errors.
 */
export function doneSteps<T>(value: T): Steps<T> {
  return new DoneSteps(value);
}

/** It is its own result, so that small work allocates one object. */
class DoneSteps<T> implements IteratorReturnResult<T> {
  readonly done = true;
  readonly value: T;

  constructor(value: T) {
    this.value = value;
  }

  next(): this {
    return this;
  }

  [Symbol.iterator](): this {
    return this;
  }
}

/** Runs work without a pause. */
export function runAtOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Runs work in slices of about ten milliseconds, between which everything else gets its turn. Work that finishes in the first slice is
 * returned immediately, without a promise, unless others that began in the same turn of the event loop have used it up: what arrives
 * together would otherwise have a first slice each before anybody gets a turn.
 * @param ambient without it, all of the work is done at once
 * @throws what the work throws, also from the promise
 */
export function runInSlices<T>(
  steps: Steps<T>,
  ambient: Pick<Ambient, 'clock' | 'turns'> | undefined,
): T | Promise<T> {
  if (!ambient) return runAtOnce(steps);
  // small work pauses once at most, between two phases: it does not read the clock, and never waits for
  // other work
  const first = steps.next();
  if (first.done) return first.value;
  if (ambient.turns?.maySlice?.(SLICE_MILLISECONDS) === false) return runRest(steps, ambient);
  const slice = runSlice(steps, ambient);
  return slice.done ? slice.value : runRest(steps, ambient);
}

async function runRest<T>(steps: Steps<T>, ambient: Pick<Ambient, 'clock' | 'turns'>): Promise<T> {
  for (;;) {
    await pause(ambient);
    const { done, value } = runSlice(steps, ambient);
    if (done) return value;
  }
}

function runSlice<T>(steps: Steps<T>, { clock }: Pick<Ambient, 'clock'>): IteratorResult<undefined, T> {
  const end = clock.monotonic() + SLICE_MILLISECONDS;
  for (;;) {
    const result = steps.next();
    if (result.done || clock.monotonic() >= end) return result;
  }
}

/**
 * Lets other work of the event loop run: sockets, timers, other requests.
 * @param usedMilliseconds milliseconds of the thread that the caller has taken before, outside of any turn. Default 0
 */
export function pause({ turns }: Pick<Ambient, 'turns'>, usedMilliseconds?: number): Promise<void> {
  return turns ? turns.pause(usedMilliseconds) : messageTurn();
}

/** A turn of the event loop in anything that has `MessageChannel`: promises alone would let no other work run. */
function messageTurn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const onMessage = (): void => {
      port1.close();
      resolve();
    };
    (port1 as unknown as EventTarget).addEventListener('message', onMessage);
    port1.start();
    port2.postMessage(undefined);
  });
}
