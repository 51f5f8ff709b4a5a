import type { Steps } from './steps.ts';

/** Work that several callers need: each of them may go on with it, and all have its result. It is begun again after an error. */
export class SharedSteps<T> {
  readonly #begin: () => Steps<T>;
  #running: Steps<T> | undefined;
  #result: { readonly value: T } | undefined;

  constructor(begin: () => Steps<T>) {
    this.#begin = begin;
  }

  /** Goes on with the work until it is done, whoever does the last of it. */
  *steps(): Steps<T> {
    while (!this.#result) if (!this.#advance()) yield;
    return this.#result.value;
  }

  /** Returns whether that was the last step. */
  #advance(): boolean {
    this.#running ??= this.#begin();
    const running = this.#running;
    this.#running = undefined;
    const { done, value } = running.next();
    if (done) this.#result = { value };
    else this.#running = running;
    return this.#result !== undefined;
  }
}
