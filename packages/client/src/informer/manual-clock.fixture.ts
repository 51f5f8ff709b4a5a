import { type Ambient, kubernetesVocabulary } from '@ashlar/core';

/** An ambient whose time goes on when it is told to. */
export interface ManualAmbient extends Ambient {
  /** Lets that much time pass, timers fired in their order, and what they set off run. */
  advance(milliseconds: number): Promise<void>;
  /** Lets what is under way run as far as it comes without time passing. */
  settle(): Promise<void>;
  /** Delays of the timers that wait. */
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
