import type { FlowLevel } from '../levels/flow-level.ts';
import { type SeatDemand, shareSeats } from './share-seats.ts';

interface LevelDemand extends SeatDemand {
  readonly level: FlowLevel;
  /** What it used at most, within its nominal seats. */
  readonly used: number;
}

/**
 * Lends seats of levels that do not use them to those that could, by what each used in the last period
 * (semantics/requests#priority-and-fairness). To be called every ten seconds.
 * @param now milliseconds of the monotonic clock
 */
export function adjustSeats(levels: readonly FlowLevel[], now: number): void {
  const all = sum(levels, ({ limits }) => limits.nominal);
  const exempt = levels.filter(({ isExempt }) => isExempt);
  for (const level of exempt) level.setCurrent(Math.max(level.limits.lower, level.nextPeriod(now).highest));
  const demands = levels.filter(({ isExempt }) => !isExempt).map((level) => demandOf(level, now));
  const seats = seatsOf(all, all - sum(exempt, ({ current }) => current), demands);
  demands.forEach(({ level }, i) => {
    level.setCurrent(Math.round(seats[i] ?? 0));
  });
}

function demandOf(level: FlowLevel, now: number): LevelDemand {
  const { lower, nominal, upper } = level.limits;
  const { highest, smoothed } = level.nextPeriod(now);
  const used = Math.max(lower, Math.min(nominal, highest));
  return { level, used, lower: used, upper, target: Math.max(used, smoothed) };
}

/** If exempt requests leave too few seats for what the others use, these get less, and at least what they cannot lend. */
function seatsOf(all: number, left: number, demands: readonly LevelDemand[]): readonly number[] {
  const least = sum(demands, ({ level }) => level.limits.lower);
  const used = sum(demands, (demand) => demand.used);
  if (left > used) return shareSeats(all, demands);
  const fraction = used > least ? Math.max(0, left - least) / (used - least) : 0;
  return demands.map(({ level, used }) => level.limits.lower + (used - level.limits.lower) * fraction);
}

const sum = <T>(values: readonly T[], amount: (value: T) => number): number =>
  values.reduce((total, value) => total + amount(value), 0);
