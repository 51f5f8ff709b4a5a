import { type Ambient, kubernetesVocabulary } from '@ashlar/core';
import { createSteppedClock } from '@ashlar/core/testing';

/** An ambient whose time the test advances. */
export interface ManualAmbient extends Ambient {
  /** Advances the time, calls timers in order, and runs what they start. */
  advance(milliseconds: number): Promise<void>;
  /** Runs pending work as far as possible without advancing the time. */
  settle(): Promise<void>;
  /** Delays of the pending timers. */
  pending(): readonly number[];
}

export function createManualAmbient(): ManualAmbient {
  const clock = createSteppedClock();
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    vocabulary: kubernetesVocabulary,
    random: { bytes: (into) => into.fill(0) },
    clock,
    settle,
    pending: () => clock.pending(),
    async advance(milliseconds) {
      const end = clock.monotonic() + milliseconds;
      await settle();
      const left = (): number => end - clock.monotonic();
      for (let next = clock.pending()[0]; next !== undefined && next <= left(); next = clock.pending()[0]) {
        clock.advance(next);
        await settle();
      }
      clock.advance(left());
    },
  };
}
