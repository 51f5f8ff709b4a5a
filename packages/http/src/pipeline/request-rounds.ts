import { type Ambient, type RoundOptions, Rounds } from '@ashlar/core';

/** The rounds in which requests continue whose bodies have arrived, one of each user in turn. */
export class RequestRounds {
  readonly #shared: Rounds<string> | undefined;
  readonly #single: Rounds<string> | undefined;

  constructor({ clock, turns }: Ambient) {
    if (!turns?.inNextTurn) return;
    const options: RoundOptions = {
      now: () => clock.monotonic(),
      atEndOfTurn: (call) => turns.atEndOfTurn(call),
      inNextTurn: (call) => turns.inNextTurn?.(call),
    };
    this.#shared = new Rounds(options);
    this.#single = new Rounds({ ...options, largest: 1 });
  }

  /** Whether there are turns, and `alone` returns a promise. */
  get canSeparate(): boolean {
    return this.#single !== undefined;
  }

  /** Returns a promise that the work for a request must wait for; undefined without turns. */
  begin(user: string): Promise<void> | undefined {
    return resumedIn(this.#shared, user);
  }

  /** The same for a request that must not share the time of its turn. */
  alone(user: string): Promise<void> | undefined {
    return resumedIn(this.#single, user);
  }
}

function resumedIn(rounds: Rounds<string> | undefined, user: string): Promise<void> | undefined {
  return rounds && new Promise((resume) => rounds.add(user, resume));
}
