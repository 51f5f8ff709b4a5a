import { type CheckedExpression, isChecked } from '../check/checked-expression.ts';
import { type CelType, types } from '../check/types.ts';
import { Interruption } from '../cost/interruption.ts';
import { allowSteps, endEvaluation, stepsFor } from '../cost/work.ts';
import type { ParsedExpression } from '../syntax/ast.ts';
import { EvaluationError, isError, type Value } from '../values/values.ts';
import { ExpressionPlanner } from './expression-planner.ts';
import { type Bindings, type Evaluate, emptySlots, Frame, Suspension } from './frame.ts';
import type { PlanOptions } from './plan.ts';

/** Options of an evaluation. */
export interface EvaluateOptions {
  /** Maximum cost units; unlimited by default. Also limits the work of functions whose price is too low. */
  readonly costLimit?: number;
  /** Ends the evaluation between two rounds of a loop. */
  readonly signal?: AbortSignal;
}

/** Result of an evaluation, and its cost in units of the cost model. */
export type Evaluation =
  | { readonly ok: true; readonly value: Value; readonly cost: number }
  | {
      readonly ok: false;
      readonly error: EvaluationError;
      readonly cost: number;
      /** Why it was stopped, if it was. */
      readonly interrupted?: 'cost-limit' | 'aborted' | 'resources';
    };

/** A planned expression, to be evaluated any number of times. */
export class Program {
  readonly expression: ParsedExpression | CheckedExpression;
  readonly #run: Evaluate;
  /** Fixed cost of every run, see `Plan`. */
  readonly #units: number;
  readonly #slots: number;
  readonly #variables: readonly string[];
  /** The slots of the variables. */
  readonly #variableSlots: readonly number[];

  /** Throws PlanError if the expression can never have a value. */
  constructor(expression: ParsedExpression | CheckedExpression, options: PlanOptions) {
    const planner = new ExpressionPlanner(expression, options);
    this.expression = expression;
    const { run, units } = planner.plan(expression.root);
    this.#run = run;
    this.#units = units;
    this.#slots = planner.slots;
    this.#variables = [...planner.variables.keys()];
    this.#variableSlots = [...planner.variables.values()];
  }

  /** Type of the result; dyn when the expression was not checked. */
  get type(): CelType {
    return isChecked(this.expression) ? this.expression.type : types.dyn;
  }

  /**
   * Evaluates with values of the variables. Never throws for errors of the expression: they are returned.
   * Throws {@link Suspension} if a variable waits for a value, see {@link evaluateAsync}.
   */
  evaluate(bindings: Bindings, options: EvaluateOptions = NO_OPTIONS): Evaluation {
    const slots = emptySlots(this.#slots);
    const names = this.#variables;
    const variableSlots = this.#variableSlots;
    for (let i = 0; i < names.length; i++) {
      slots[variableSlots[i] as number] = bindings[names[i] as string] as Value | undefined;
    }
    const frame = new Frame(bindings, slots, options.costLimit ?? Number.POSITIVE_INFINITY, options.signal);
    frame.cost = this.#units;
    const allowed = stepsFor(frame.limit);
    const outer = allowSteps(allowed);
    try {
      const value = this.#run(frame);
      if (frame.cost > frame.limit) return interrupted(new Interruption('cost-limit'), frame.cost);
      if (isError(value)) return { ok: false, error: value, cost: frame.cost };
      return { ok: true, value, cost: frame.cost };
    } catch (error) {
      return interrupted(error, frame.cost);
    } finally {
      endEvaluation(allowed, outer, frame.cost);
    }
  }

  /** As {@link evaluate}, awaiting pending variables: evaluation is pure, so it is repeated after each. */
  async evaluateAsync(bindings: Bindings, options: EvaluateOptions = NO_OPTIONS): Promise<Evaluation> {
    for (;;) {
      try {
        return this.evaluate(bindings, options);
      } catch (error) {
        if (!Suspension.is(error)) throw error;
        await error.ready;
      }
    }
  }
}

const NO_OPTIONS: EvaluateOptions = {};

function interrupted(error: unknown, cost: number): Evaluation {
  if (error instanceof Interruption) {
    return { ok: false, error: new EvaluationError(error.message), cost, interrupted: error.reason };
  }
  // Limits of the engine: the longest string or array, the deepest stack.
  if (error instanceof RangeError) {
    return {
      ok: false,
      error: new EvaluationError('operation cancelled: out of resources'),
      cost,
      interrupted: 'resources',
    };
  }
  throw error;
}
