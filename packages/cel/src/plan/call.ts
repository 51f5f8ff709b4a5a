import type { Implementation } from '../check/declarations.ts';
import type { CallCost, CostModel } from '../cost/cost-model.ts';
import { isError, located, type Value } from '../values/values.ts';
import type { Evaluate, Frame } from './frame.ts';
import { charged, type Plan } from './plan.ts';

/** A call with planned operands, implementation and cost. */
export interface PlannedCall {
  readonly implementation: Implementation;
  readonly operands: readonly Plan[];
  /** Units, or a function of the arguments. */
  readonly cost: number | CallCost;
  readonly model: CostModel | undefined;
  readonly position: number;
}

/**
 * Plans the call. An error operand is the result; the call is charged after its operands, of which up to two
 * are always evaluated, and of more none after the first error.
 */
export function planOperation(call: PlannedCall): Plan {
  const { operands, cost } = call;
  const fixed = typeof cost === 'number' ? cost : 0;
  const units = operands.reduce((sum, operand) => sum + operand.units, fixed);
  if (operands.length === 1)
    return { run: typeof cost === 'number' ? unaryCall(call) : countedUnaryCall(call, cost), units };
  if (operands.length === 2)
    return { run: typeof cost === 'number' ? binaryCall(call) : countedBinaryCall(call, cost), units };
  return { run: anyCall(call), units: 0 };
}

function unaryCall({ implementation, operands, position }: PlannedCall): Evaluate {
  const { run } = operands[0] as Plan;
  return (frame) => {
    const value = run(frame);
    return isError(value) ? value : located(implementation(value), position);
  };
}

function binaryCall({ implementation, operands, position }: PlannedCall): Evaluate {
  const [{ run: left }, { run: right }] = operands as [Plan, Plan];
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (isError(a)) return a;
    return isError(b) ? b : located(implementation(a, b), position);
  };
}

function countedUnaryCall(
  { implementation, operands, position, model }: PlannedCall,
  cost: CallCost,
): Evaluate {
  const { run } = operands[0] as Plan;
  const before = !cost.ofResult;
  return (frame) => {
    const value = run(frame);
    if (before && model) frame.charge(cost([value], null, model));
    const result = isError(value) ? value : implementation(value);
    if (!before && model) frame.charge(cost([value], result, model));
    return located(result, position);
  };
}

function countedBinaryCall(
  { implementation, operands, position, model }: PlannedCall,
  cost: CallCost,
): Evaluate {
  const [{ run: left }, { run: right }] = operands as [Plan, Plan];
  const before = !cost.ofResult;
  return (frame) => {
    const a = left(frame);
    const b = right(frame);
    if (before && model) frame.charge(cost([a, b], null, model));
    const result = isError(a) ? a : isError(b) ? b : implementation(a, b);
    if (!before && model) frame.charge(cost([a, b], result, model));
    return located(result, position);
  };
}

function anyCall({ implementation, operands, position, model, cost }: PlannedCall): Evaluate {
  const runs = operands.map(charged);
  const before = typeof cost === 'number' || !cost.ofResult;
  const charge = (frame: Frame, args: readonly Value[], result: Value): void => {
    if (!model || args.length !== runs.length) return;
    frame.charge(typeof cost === 'number' ? cost : cost(args, result, model));
  };
  return (frame) => {
    const args = operandsOf(runs, frame);
    const error = args.find((value) => isError(value));
    if (before) charge(frame, args, null);
    const result = error ?? implementation(...args);
    if (!before) charge(frame, args, result);
    return located(result, position);
  };
}

function operandsOf(runs: readonly Evaluate[], frame: Frame): Value[] {
  const args: Value[] = [];
  for (const run of runs) {
    const value = run(frame);
    args.push(value);
    if (isError(value)) break;
  }
  return args;
}
