import { type Ambient, pause } from '@ashlar/core';

/** Things of which each takes little, between two looks at the clock. */
const STRIDE = 16;
/** Milliseconds of the thread after which others are let in. */
const SLICE_MILLISECONDS = 10;

/** Lets others in between things of which one request may have thousands, such as webhooks. */
export class PausesBetween {
  readonly #ambient: Pick<Ambient, 'turns'> & Partial<Pick<Ambient, 'clock'>>;
  #count = 0;
  #begun = 0;

  constructor(ambient: Pick<Ambient, 'turns'> & Partial<Pick<Ambient, 'clock'>>) {
    this.#ambient = ambient;
  }

  /** Called after each; returns what has to be waited for, if it is time. */
  next(): Promise<void> | undefined {
    const { clock } = this.#ambient;
    // few read no clock
    if (!clock || ++this.#count % STRIDE !== 0) return undefined;
    const now = clock.monotonic();
    const isDue = this.#begun > 0 && now - this.#begun >= SLICE_MILLISECONDS;
    if (this.#begun === 0) this.#begun = now;
    return isDue ? this.#rest() : undefined;
  }

  async #rest(): Promise<void> {
    await pause(this.#ambient);
    this.#begun = 0;
  }
}
