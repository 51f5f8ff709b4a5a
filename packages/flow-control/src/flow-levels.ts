import type { Clock } from '@ashlar/core';
import type { ConfiguredLevel } from './flow-objects.ts';
import { FlowLevel } from './levels/flow-level.ts';
import { adjustSeats } from './seats/adjust-seats.ts';
import { seatLimits, sharesOf } from './seats/seat-limits.ts';

/** The priority levels of a server: those that are configured, and those that are gone and still have requests. */
export class FlowLevels {
  readonly #clock: Clock;
  readonly #seats: number;
  readonly #levels = new Map<string, FlowLevel>();
  /** As they were configured last. */
  readonly #objects = new Map<string, ConfiguredLevel>();

  constructor(clock: Clock, seats: number) {
    this.#clock = clock;
    this.#seats = seats;
  }

  get all(): readonly FlowLevel[] {
    this.#forgetEnded();
    return [...this.#levels.values()];
  }

  get(name: string): FlowLevel | undefined {
    return this.#levels.get(name);
  }

  configure(objects: readonly ConfiguredLevel[]): void {
    const names = new Set(objects.map(({ metadata }) => metadata.name));
    for (const [name, level] of this.#levels) level.isQuiescing = !names.has(name);
    for (const object of objects) this.#objects.set(object.metadata.name ?? '', object);
    this.#forgetEnded();
    // what is gone keeps its seats until its requests are answered
    const allShares = [...this.#objects.values()].reduce((sum, object) => sum + sharesOf(object), 0);
    for (const [name, object] of this.#objects) this.#configureLevel(name, object, allShares);
  }

  /** Lends seats; to be called every ten seconds. */
  adjust(): void {
    adjustSeats(this.all, this.#clock.monotonic());
  }

  /** Rejects all that wait. */
  close(): void {
    for (const level of this.#levels.values()) level.close();
  }

  #configureLevel(name: string, object: ConfiguredLevel, allShares: number): void {
    const known = this.#levels.get(name);
    const level = known ?? new FlowLevel(name, this.#clock);
    const limits = seatLimits(object, this.#seats, allShares);
    const { nominal, lower } = limits;
    const isChanged = level.limits.nominal !== nominal || level.limits.lower !== lower;
    level.configure(object, limits);
    this.#levels.set(name, level);
    // half of what it may lend is lent until it is known who needs it
    if (!known || isChanged) level.setCurrent(nominal - Math.floor((nominal - lower) / 2));
  }

  #forgetEnded(): void {
    for (const [name, level] of this.#levels) {
      if (!level.isQuiescing || !level.isIdle || level.counts.seats > 0) continue;
      this.#levels.delete(name);
      this.#objects.delete(name);
    }
  }
}
