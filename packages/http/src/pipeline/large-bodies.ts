import { type Ambient, MAXIMUM_OBJECT_BYTES, pause, RotatingQueues } from '@ashlar/core';

/**
 * What the bodies under work may weigh together. A byte of JSON becomes up to twenty bytes of values, so that one of maximum size takes
 * sixty megabytes.
 */
const MAXIMUM_WEIGHT = MAXIMUM_OBJECT_BYTES;
/** A byte of YAML becomes this many times as much. */
const YAML_WEIGHT = 16;
/** After this time, work for a body waits for something else, such as a webhook, and counts no longer, unless the event loop is busy. */
const HELD_MILLISECONDS = 1000;
/** Until it has been as busy as that so often, and the body counts no longer either. */
const MAXIMUM_PERIODS = 10;
/** A turn of the event loop takes longer if much is worked on in slices. */
const BUSY_MILLISECONDS = 20;

/** A body that waits. */
interface Waiting {
  readonly weight: number;
  readonly begin: (end: () => void) => void;
}

/**
 * Bounds the memory that large bodies take beside their bytes: those that do not fit wait, undecoded, until others are done, one of each
 * user at a time.
 */
export class LargeBodies {
  readonly #ambient: Pick<Ambient, 'clock' | 'turns'>;
  readonly #waiting = new RotatingQueues<string, Waiting>();
  #weight = 0;

  constructor(ambient: Pick<Ambient, 'clock' | 'turns'>) {
    this.#ambient = ambient;
  }

  /**
   * Resolves when work for a body may begin.
   * @returns a function that says that the work has ended; it may be called again
   */
  begin(user: string, bytes: number, isYaml: boolean): Promise<() => void> {
    const weight = isYaml ? bytes * YAML_WEIGHT : bytes;
    return new Promise((begin) => {
      this.#waiting.push(user, { weight, begin });
      this.#continue();
    });
  }

  #continue(): void {
    for (let next = this.#waiting.peek(); next; next = this.#waiting.peek()) {
      const { weight, begin } = next;
      // one that is too large by itself is worked on alone
      if (this.#weight > 0 && this.#weight + weight > MAXIMUM_WEIGHT) return;
      this.#waiting.take();
      begin(this.#hold(weight));
    }
  }

  #hold(weight: number): () => void {
    this.#weight += weight;
    const { clock } = this.#ambient;
    let isHeld = true;
    let periods = 0;
    const end = (): void => {
      if (!isHeld) return;
      isHeld = false;
      timer.clear();
      this.#weight -= weight;
      this.#continue();
    };
    const lookAgain = async (): Promise<void> => {
      periods++;
      if (periods === MAXIMUM_PERIODS || !(await this.#isBusy())) end();
      else if (isHeld) timer = clock.setTimer(HELD_MILLISECONDS, lookAgain);
    };
    let timer = clock.setTimer(HELD_MILLISECONDS, lookAgain);
    return end;
  }

  async #isBusy(): Promise<boolean> {
    const { clock } = this.#ambient;
    const began = clock.monotonic();
    await pause(this.#ambient);
    return clock.monotonic() - began > BUSY_MILLISECONDS;
  }
}
