import { type Ambient, orchVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';

/** An ambient in which each reading of the clock is by default a slice after the one before, and which counts the pauses. */
export class CountedTurns {
  turns = 0;
  /** Milliseconds between two readings; with none, everything is done in one slice. */
  step = 100;
  #elapsed = 0;

  readonly ambient: Ambient = {
    clock: { ...createSteppedClock(), monotonic: () => (this.#elapsed += this.step) },
    random: { bytes: (into) => into },
    vocabulary: orchVocabulary,
    turns: { requestBegan: () => {}, atEndOfTurn: () => {}, pause: async () => void this.turns++ },
  };
}
