import { type Ambient, kubernetesVocabulary } from '@ashlar/core';

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
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  const settle = async (): Promise<void> => {
    for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    vocabulary: kubernetesVocabulary,
    random: { bytes: (into) => into.fill(0) },
    clock: {
      now: () => now,
      monotonic: () => now,
      setTimer: (milliseconds, call) => {
        const timer = { at: now + milliseconds, call };
        timers.add(timer);
        return { clear: () => void timers.delete(timer) };
      },
    },
    settle,
    pending: () => [...timers].map(({ at }) => at - now).sort((a, b) => a - b),
    async advance(milliseconds) {
      const end = now + milliseconds;
      await settle();
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        timers.delete(due);
        now = Math.max(now, due.at);
        due.call();
        await settle();
      }
      now = end;
    },
  };
}
