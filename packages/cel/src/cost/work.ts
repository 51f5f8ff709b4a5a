import { Interruption } from './interruption.ts';

/**
 * What an evaluation really does, in steps of about a nanosecond: a character that is scanned, half an element that is
 * visited. Prices of functions are given (they are part of what rules may rely on) and some are lower than any
 * implementation could keep to: `size(text)` costs 1 however long the text is. So steps are bounded beside the cost.
 * Functions of the language are called without their evaluation; as it never pauses, what is left of the one that runs is
 * kept here.
 */
let left = Number.POSITIVE_INFINITY;
let evaluations = 0;

/** Steps that a unit of the cost limit allows, which is well above what the functions take that are priced by their work. */
const STEPS_PER_UNIT = 50;
/** Steps that every evaluation may take, for one look at the largest data. */
const LEAST_STEPS = 10_000_000;

/** Steps that an evaluation of so many cost units may take. */
export function stepsFor(costLimit: number): number {
  return Math.max(LEAST_STEPS, costLimit * STEPS_PER_UNIT);
}

/** Counts steps. Throws {@link Interruption} where the evaluation has taken more than it may. */
export function work(steps: number): void {
  left -= steps;
  if (left < 0) throw new Interruption('cost-limit');
}

/** Lets so many steps be taken from now on; gives how many were left before, to be handed in again afterwards. */
export function allowSteps(steps: number): number {
  const before = left;
  evaluations++;
  left = steps;
  return before;
}

/** A number that is another one in every evaluation, for what may be kept as long as data do not change. */
export function currentEvaluation(): number {
  return evaluations;
}
