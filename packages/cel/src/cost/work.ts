import { Interruption } from './interruption.ts';

/**
 * Counts the actual work of an evaluation, in steps of about a nanosecond: a character that is scanned, half an element that is
 * visited. Prices of functions are given (they are part of what rules may rely on) and some are lower than any
 * implementation could keep to: `size(text)` costs 1 however long the text is. So steps are bounded beside the cost.
 * Functions of the language are called without their evaluation; as it never pauses, what is left of the one that runs is
 * kept here.
 */
let left = Number.POSITIVE_INFINITY;
let evaluations = 0;

/** Steps that a unit of the cost limit allows, which is well above what the functions take that are priced by their work. */
const STEPS_PER_UNIT = 50;
/** Steps that every evaluation may take, enough to read the largest data once. */
const MINIMUM_STEPS = 10_000_000;

/** Returns the maximum number of steps of an evaluation with a cost limit. */
export function stepsFor(costLimit: number): number {
  return Math.max(MINIMUM_STEPS, costLimit * STEPS_PER_UNIT);
}

/** Counts steps. Throws {@link Interruption} where the evaluation exceeds its maximum. */
export function work(steps: number): void {
  left -= steps;
  if (left < 0) throw new Interruption('cost-limit');
}

/** Sets the number of steps that may follow, and returns how many were left before, which the caller restores afterwards. */
export function allowSteps(steps: number): number {
  const before = left;
  evaluations++;
  left = steps;
  return before;
}

/** Returns a number that differs in every evaluation, for caches that are valid as long as data do not change. */
export function currentEvaluation(): number {
  return evaluations;
}
