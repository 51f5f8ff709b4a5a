import type { CallCost } from '../cost/cost-model.ts';
import type { CallEstimator } from '../cost/estimate-model.ts';
import type { Macro } from '../syntax/macros.ts';
import type { EvaluationError, Value } from '../values/values.ts';
import type { CelType } from './types.ts';

/**
 * Implements a function: receives the target (if any) and the arguments, returns a value or an
 * EvaluationError. Called only with values that fit the overload's types, never with errors.
 */
// biome-ignore lint/suspicious/noExplicitAny: implementations name the value types of their overload
export type Implementation = (...args: any[]) => Value;

/** Cost of a call of an overload; 1 by default. */
export interface OverloadCost {
  /** Cost of a call that has run. */
  readonly cost?: CallCost;
  /** Cost of a call before it runs. */
  readonly estimate?: CallEstimator;
}

/** One signature of a function. */
export interface Overload extends OverloadCost {
  /** Unique within an environment, such as `string_to_int`. */
  readonly id: string;
  /** Called on a target, whose type is the first parameter. */
  readonly member: boolean;
  readonly parameters: readonly CelType[];
  readonly result: CelType;
  /** Absent if the function has one implementation for all overloads. */
  readonly evaluate?: Implementation;
}

/** A function: how its calls are checked and evaluated. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /** One implementation for all overloads; it rejects wrong operands with "no such overload" itself. */
  readonly evaluate?: Implementation;
  /**
   * An implementation for constant operands (undefined if not constant), such as a pattern compiled once;
   * undefined if it would not help, an error if the call can never succeed.
   */
  readonly prepare?: (
    constants: readonly (Value | undefined)[],
  ) => Implementation | EvaluationError | undefined;
}

/** A library of functions, macros and types. */
export interface Library {
  readonly name: string;
  readonly functions?: readonly FunctionDeclaration[];
  readonly macros?: readonly Macro[];
  /** Types that expressions may name. */
  readonly types?: readonly CelType[];
}

/** A function with overloads. */
export const named = (name: string, ...overloads: Overload[]): FunctionDeclaration => ({ name, overloads });

/** An overload of a plain function. */
export function overload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  evaluate?: Implementation,
  cost: OverloadCost = {},
): Overload {
  return { id, member: false, parameters, result, ...(evaluate && { evaluate }), ...cost };
}

/** An overload called on a target, the first of the parameters. */
export function method(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  evaluate?: Implementation,
  cost: OverloadCost = {},
): Overload {
  return { id, member: true, parameters, result, ...(evaluate && { evaluate }), ...cost };
}

/** Merges functions of one name: later libraries add overloads to functions of earlier ones. */
export function mergeFunctions(libraries: readonly Library[]): Map<string, FunctionDeclaration> {
  const merged = new Map<string, FunctionDeclaration>();
  for (const { functions = [] } of libraries) {
    for (const declared of functions) {
      const existing = merged.get(declared.name);
      merged.set(declared.name, existing ? mergeTwo(existing, declared) : declared);
    }
  }
  return merged;
}

function mergeTwo(existing: FunctionDeclaration, added: FunctionDeclaration): FunctionDeclaration {
  const newOverloads = added.overloads.filter(
    (overload) => !existing.overloads.some((other) => other.id === overload.id),
  );
  const overloads = [
    ...withImplementation(existing),
    ...withImplementation({ ...added, overloads: newOverloads }),
  ];
  const prepare = existing.prepare ?? added.prepare;
  return { name: existing.name, overloads, ...(prepare && { prepare }) };
}

function withImplementation({ overloads, evaluate }: FunctionDeclaration): readonly Overload[] {
  return evaluate ? overloads.map((overload) => ({ evaluate, ...overload })) : overloads;
}
