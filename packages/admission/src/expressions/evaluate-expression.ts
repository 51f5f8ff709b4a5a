import { type Bindings, Suspension, UNPAID_SHARE, type Value, workSpent } from '@ashlar/cel';
import { type Ambient, pause } from '@ashlar/core';
import type { AdmissionExpression } from './admission-expression.ts';

/** Maximum cost units of one expression. */
const COST_LIMIT = 1_000_000;

/** How much work, in cost units, takes a millisecond or more. */
const WORK_PER_MILLISECOND = 50_000;

/** After how much work, in cost units, other requests are let in: a few milliseconds. */
const WORK_BETWEEN_PAUSES = 50_000;

/** Evaluation that yields promises to wait for, and undefined where others may be let in. */
export type Evaluating<T> = Generator<Promise<void> | undefined, T, undefined>;

/** A value, or the text of an error. */
export type ExpressionResult =
  | { readonly value: Value; readonly error?: undefined; readonly cost: number }
  | { readonly value?: undefined; readonly error: string; readonly cost: number };

/** The common budget of expressions has been spent. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** Maximum cost units of a policy with one binding and one set of parameters, and of one mutation. */
export const POLICY_BUDGET = 10_000_000;

/** What expressions that are evaluated one after another may still cost. */
export class Budget {
  /** Cost units. */
  remaining: number;
  /** Work that no cost is for, in cost units. */
  #unpaid: number;
  #paused = workSpent();

  constructor(units: number) {
    this.remaining = units;
    this.#unpaid = units * UNPAID_SHARE;
  }

  /**
   * @param work all of it, in cost units
   * @throws OutOfBudget
   */
  spend(units: number, work: number): void {
    this.#unpaid -= Math.max(0, work - units);
    if (units > this.remaining || this.#unpaid < 0) throw new OutOfBudget();
    this.remaining -= units;
  }

  /** Returns whether it is time to let others in. */
  isPauseDue(): boolean {
    return workSpent() - this.#paused >= WORK_BETWEEN_PAUSES;
  }

  /** Called after a pause: what others took meanwhile does not count. */
  resume(): void {
    this.#paused = workSpent();
  }
}

/** Variables whose values are computed by expressions, when they are first read. */
export interface ComputedVariables {
  /** Cost units of the computations since the last call. */
  takeCost(): number;
}

/**
 * Evaluates one expression within a budget.
 * @throws OutOfBudget if it cost more than was left
 */
export function* evaluateExpression(
  expression: AdmissionExpression,
  bindings: Bindings,
  budget: Budget,
  variables?: ComputedVariables,
): Evaluating<ExpressionResult> {
  for (;;) {
    const result = tryExpression(expression, bindings, budget, variables);
    if (result instanceof Promise) yield result;
    else {
      if (budget.isPauseDue()) {
        yield undefined;
        budget.resume();
      }
      return result;
    }
  }
}

/**
 * Evaluates one expression, or returns what has to be waited for before it is tried again.
 * @throws OutOfBudget if it cost more than was left
 */
export function tryExpression(
  { text, program, error: wrong }: AdmissionExpression,
  bindings: Bindings,
  budget: Budget,
  variables?: ComputedVariables,
): ExpressionResult | Promise<void> {
  if (!program) return { error: `compilation error: ${wrong}`, cost: 0 };
  const before = workSpent();
  try {
    const result = program.evaluate(bindings, LIMITS);
    const cost = variables ? result.cost + variables.takeCost() : result.cost;
    budget.spend(cost, workSpent() - before);
    if (result.ok) return { value: result.value, cost };
    return { error: `expression '${text}' resulted in error: ${result.error.message}`, cost };
  } catch (error) {
    if (!Suspension.is(error)) throw error;
    return error.ready;
  }
}

const LIMITS = { costLimit: COST_LIMIT };

/** Milliseconds of the thread after which others are let in. */
export const SLICE_MILLISECONDS = 10;

/** Where an evaluation lets others in. Without a clock it does so whenever it offers to. */
export type PolicyAmbient = Pick<Ambient, 'turns'> & Partial<Pick<Ambient, 'clock'>>;

/** Runs an evaluation; without a promise if there is nothing to wait for. */
export function runEvaluation<T>(evaluation: Evaluating<T>, ambient: PolicyAmbient): T | Promise<T> {
  // most end at once, and read no clock
  const before = workSpent();
  const first = evaluation.next();
  if (first.done) return first.value;
  return runRest(evaluation, first.value, ambient, (workSpent() - before) / WORK_PER_MILLISECOND);
}

/**
 * Runs the rest in slices: an evaluation offers many pauses, of which each would cost a turn of the event loop. What it waits for
 * does not count, nor does it begin a new slice, since it may be there at once.
 */
async function runRest<T>(
  evaluation: Evaluating<T>,
  waiting: Promise<void> | undefined,
  ambient: PolicyAmbient,
  usedMilliseconds: number,
): Promise<T> {
  const now = (): number => ambient.clock?.monotonic() ?? 0;
  let ready = waiting;
  let used = usedMilliseconds;
  for (;;) {
    if (ready) await ready;
    else if (!ambient.clock || used >= SLICE_MILLISECONDS) {
      await pause(ambient);
      used = 0;
    }
    const begun = now();
    const { done, value } = evaluation.next();
    if (done) return value;
    used += now() - begun;
    ready = value;
  }
}
