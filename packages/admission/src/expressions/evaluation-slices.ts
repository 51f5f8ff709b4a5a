import { pause } from '@ashlar/core';
import { type PolicyAmbient, SLICE_MILLISECONDS } from './evaluate-expression.ts';

/**
 * Lets others in between evaluations for one request. Each of them lets others in when it takes long; thousands of short ones, of
 * bindings and parameters, would hold the thread together.
 */
export class EvaluationSlices {
  readonly #ambient: PolicyAmbient;
  #isFirst = true;
  /** When this slice began, in milliseconds. */
  #begun = 0;

  constructor(ambient: PolicyAmbient) {
    this.#ambient = ambient;
  }

  /** Called before each evaluation. @returns what to wait for; undefined if it may begin at once, as the first one */
  next(): Promise<void> | undefined {
    if (!this.#isFirst) return this.#isOver() ? this.#pause() : undefined;
    this.#isFirst = false;
    this.#begin();
    return undefined;
  }

  #begin(): void {
    this.#begun = this.#ambient.clock?.monotonic() ?? 0;
  }

  /** Without a clock each evaluation has a slice of its own. */
  #isOver(): boolean {
    const { clock } = this.#ambient;
    return !clock || clock.monotonic() - this.#begun >= SLICE_MILLISECONDS;
  }

  async #pause(): Promise<void> {
    await pause(this.#ambient);
    this.#begin();
  }
}
