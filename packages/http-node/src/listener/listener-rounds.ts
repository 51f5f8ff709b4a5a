import { AsyncResource } from 'node:async_hooks';
import { performance } from 'node:perf_hooks';
import { Rounds } from '@ashlar/core';
import { atEndOfTurn, inNextTurn } from '../ambient/next-turn.ts';
import type { FlushSchedule } from './flush-schedule.ts';

/**
 * The rounds in which the requests of a listener begin. Each begins in the asynchronous context in which it arrived, as hosts expect who
 * keep the current request in an `AsyncLocalStorage`.
 */
export class ListenerRounds {
  readonly #rounds: Rounds<object>;

  /** @param schedule writes the responses that are ready when all of a round have begun */
  constructor(schedule: FlushSchedule) {
    this.#rounds = new Rounds({
      now: () => performance.now(),
      atEndOfTurn,
      inNextTurn,
      resumed: () => schedule.writeReady(),
    });
  }

  /** @param connection undefined for a connection that has one request at a time */
  add(connection: object | undefined, begin: () => unknown): void {
    const resource = new AsyncResource('ASHLAR_REQUEST', { requireManualDestroy: true });
    this.#rounds.add(connection, () => resource.runInAsyncScope(begin));
  }
}
