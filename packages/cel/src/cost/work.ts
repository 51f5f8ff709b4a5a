import { Interruption } from './interruption.ts';

/**
 * Counts the actual work of an evaluation, in steps of about a nanosecond: a scanned character, half a
 * visited element. Prices of functions are given (rules rely on them) and some are lower than any
 * implementation could achieve: `size(text)` costs 1 at any length. So steps are limited in addition to the
 * cost. Functions of the language are called without their evaluation; as an evaluation never pauses, the
 * remaining steps are stored here.
 */
let left = Number.POSITIVE_INFINITY;
let evaluations = 0;
let spent = 0;

/**
 * Steps per unit of the cost limit: more than functions with realistic prices take. Since an evaluation cannot pause, they also bound how
 * long the most expensive one holds up others: 25 milliseconds of steps, in addition to those of its cost units.
 */
const STEPS_PER_UNIT = 25;
/**
 * Work beyond their cost that expressions with one budget may do, as a share of what they may cost: to compare two objects of megabytes
 * costs few units, and takes as long as a million.
 */
export const UNPAID_SHARE = 0.4;

/** Steps that every evaluation may take, enough to read the largest data once. */
const MINIMUM_STEPS = 10_000_000;

/** Returns the maximum number of steps of an evaluation with a cost limit. */
export function stepsFor(costLimit: number): number {
  return Math.max(MINIMUM_STEPS, costLimit * STEPS_PER_UNIT);
}

/** Counts steps. Throws {@link Interruption} if the evaluation exceeds its maximum. */
export function work(steps: number): void {
  left -= steps;
  // also if a function counts something that is no number
  if (!(left >= 0)) throw new Interruption('cost-limit');
}

/** Sets the number of remaining steps, and returns the previous one, which the caller restores afterwards. */
export function allowSteps(steps: number): number {
  const before = left;
  evaluations++;
  left = steps;
  return before;
}

/**
 * Ends an evaluation that was allowed a number of steps, and restores those of the one around it.
 * @param cost in cost units; one that is no finite number, of a function of the host, is not counted
 */
export function endEvaluation(allowed: number, outer: number, cost: number): void {
  for (const units of [cost, (allowed - left) / STEPS_PER_UNIT]) if (Number.isFinite(units)) spent += units;
  left = outer;
}

/**
 * Returns the work of all evaluations so far: their cost, and the steps that are not in it, in cost units. Whoever runs several evaluations
 * pauses by it: some take long at a low cost.
 */
export function workSpent(): number {
  return spent;
}

/** Returns a number that differs in every evaluation, for caches that are valid as long as data do not change. */
export function currentEvaluation(): number {
  return evaluations;
}
