import type { CallCost, CostModel } from './cost-model.ts';
import type { Implementation } from './declarations.ts';
import type { Evaluate, Frame } from './frame.ts';
import { EvaluationError, type Value } from './values.ts';

/** A call whose operands, implementation and cost are known. */
export interface PlannedCall {
  readonly implementation: Implementation;
  readonly runs: readonly Evaluate[];
  /** Units, or a function of what it is called with. */
  readonly cost: number | CallCost;
  readonly model: CostModel | undefined;
  readonly position: number;
}

/**
 * The call as a closure. An operand that is an error is the result; the call counts once its operands are evaluated, of
 * which up to two always are, and of more none after the first error.
 */
export function callOf(call: PlannedCall): Evaluate {
  const { runs, cost } = call;
  if (typeof cost === 'number') {
    if (runs.length === 1) return unaryCall(call, cost);
    if (runs.length === 2) return binaryCall(call, cost);
  } else {
    if (runs.length === 1) return countedUnaryCall(call, cost);
    if (runs.length === 2) return countedBinaryCall(call, cost);
  }
  return anyCall(call);
}

/** The place of an error is that of the call that first gave it. */
function located(value: Value, position: number): Value {
  if (value instanceof EvaluationError) value.position ??= position;
  return value;
}

function unaryCall({ implementation, runs, position }: PlannedCall, units: number): Evaluate {
  const run = runs[0] as Evaluate;
  return (frame) => {
    const value = run(frame);
    frame.cost += units;
    return value instanceof EvaluationError ? value : located(implementation(value), position);
  };
}

function binaryCall({ implementation, runs, position }: PlannedCall, units: number): Evaluate {
  const [left, right] = runs as [Evaluate, Evaluate];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    frame.cost += units;
    if (a instanceof EvaluationError) return a;
    return b instanceof EvaluationError ? b : located(implementation(a, b), position);
  };
}

function countedUnaryCall({ implementation, runs, position, model }: PlannedCall, cost: CallCost): Evaluate {
  const run = runs[0] as Evaluate;
  return (frame) => {
    const value = run(frame);
    const result = value instanceof EvaluationError ? value : implementation(value);
    if (model) frame.charge(cost([value], result, model));
    return located(result, position);
  };
}

function countedBinaryCall({ implementation, runs, position, model }: PlannedCall, cost: CallCost): Evaluate {
  const [left, right] = runs as [Evaluate, Evaluate];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    const result = a instanceof EvaluationError ? a : b instanceof EvaluationError ? b : implementation(a, b);
    if (model) frame.charge(cost([a, b], result, model));
    return located(result, position);
  };
}

function anyCall({ implementation, runs, position, model, cost }: PlannedCall): Evaluate {
  return (frame) => {
    const args = operandsOf(runs, frame);
    const error = args.find((value) => value instanceof EvaluationError);
    const result = error ?? implementation(...args);
    if (model && args.length === runs.length) {
      frame.charge(typeof cost === 'number' ? cost : cost(args, result, model));
    }
    return located(result, position);
  };
}

function operandsOf(runs: readonly Evaluate[], frame: Frame): Value[] {
  const args: Value[] = [];
  for (const run of runs) {
    const value = run(frame);
    args.push(value);
    if (value instanceof EvaluationError) break;
  }
  return args;
}
