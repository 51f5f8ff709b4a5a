import { type Ambient, Rounds } from '@ashlar/core';

/** The rounds in which requests continue whose bodies have arrived, one of each user at a time. */
export class RequestRounds {
  readonly #rounds: Rounds<string> | undefined;

  constructor({ clock, turns }: Ambient) {
    if (!turns?.inNextTurn) return;
    this.#rounds = new Rounds({
      now: () => clock.monotonic(),
      atEndOfTurn: (call) => turns.atEndOfTurn(call),
      inNextTurn: (call) => turns.inNextTurn?.(call),
    });
  }

  /** Returns a promise that the work for a request must wait for; undefined without turns. */
  begin(user: string): Promise<void> | undefined {
    const rounds = this.#rounds;
    return rounds && new Promise((resume) => rounds.add(user, resume));
  }
}
