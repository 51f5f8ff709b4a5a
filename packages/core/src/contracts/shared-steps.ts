import { doneSteps, type Steps } from './steps.ts';

/** Work that several callers need: each of them may go on with it, and all have its result. It is begun again after an error. */
export class SharedSteps<T> {
  readonly #begin: () => Steps<T>;
  #running: Steps<T> | undefined;
  #done: Steps<T> | undefined;

  constructor(begin: () => Steps<T>) {
    this.#begin = begin;
  }

  /** Goes on with the work until it is done, whoever does the last of it. */
  steps(): Steps<T> {
    return this.#done ?? this.#run();
  }

  *#run(): Steps<T> {
    for (;;) {
      const done = this.#done ?? this.#advance();
      if (done) return yield* done;
      yield;
    }
  }

  /** Returns the result if that was the last step. */
  #advance(): Steps<T> | undefined {
    this.#running ??= this.#begin();
    const running = this.#running;
    this.#running = undefined;
    const { done, value } = running.next();
    if (done) this.#done = doneSteps(value);
    else this.#running = running;
    return this.#done;
  }
}
