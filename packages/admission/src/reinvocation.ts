import type { ApiObject } from '@ashlar/core';
import type { AdmissionPlugin, AdmissionRequest, AdmissionRounds } from './admission-request.ts';
import { sameObject } from './matching/same-object.ts';

/**
 * Which webhooks or policies of a mutating plugin run in the second round: those that allow it, and that ran before the last change of the
 * object. `K` identifies one of them in both rounds.
 */
export class Reinvocation<K> {
  readonly #rounds: AdmissionRounds;
  readonly #called: Set<K>;
  readonly #again: Set<K>;

  private constructor(rounds: AdmissionRounds, { called, again }: FirstRound<K>) {
    this.#rounds = rounds;
    this.#called = called;
    this.#again = again;
  }

  /**
   * Runs one round of a plugin.
   * @param run returns the object after the round
   * @returns the changed object, undefined if it has not changed
   */
  static async inRound<K>(
    plugin: AdmissionPlugin,
    request: AdmissionRequest,
    rounds: AdmissionRounds,
    run: (reinvocation: Reinvocation<K>) => Promise<ApiObject | undefined>,
  ): Promise<ApiObject | undefined> {
    const first = rounds.remembered(plugin) as FirstRound<K> | undefined;
    const state: FirstRound<K> = first ?? { called: new Set(), again: new Set(), left: undefined };
    rounds.remember(plugin, state);
    const reinvocation = new Reinvocation<K>(rounds, state);
    // another plugin changed the object between the rounds
    if (rounds.round === 1 && !sameObject(state.left, request.object)) reinvocation.#callAgain();
    const object = await run(reinvocation);
    state.left = object;
    return object === request.object ? undefined : object;
  }

  /** Whether it runs in this round. In the second one nothing runs for the first time. */
  isDue(key: K): boolean {
    return this.#rounds.round === 0 || this.#again.has(key);
  }

  /** Reports that the object has changed: what ran before runs again. */
  changed(): void {
    this.#callAgain();
    this.#rounds.again();
  }

  /** Reports that something ran that may run again. */
  called(key: K): void {
    this.#called.add(key);
  }

  #callAgain(): void {
    for (const key of this.#called) this.#again.add(key);
    this.#called.clear();
  }
}

/** What a plugin remembers of the first round. */
interface FirstRound<K> {
  readonly called: Set<K>;
  readonly again: Set<K>;
  /** The object after the round. */
  left: ApiObject | undefined;
}
