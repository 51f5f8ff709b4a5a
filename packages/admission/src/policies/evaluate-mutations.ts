import { listItems, misplacedType, misplacedTypeIn, toJson, type Value } from '@ashlar/cel';
import {
  type ApiObject,
  type JsonObject,
  type JsonValue,
  jsonSize,
  StatusError,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { applyJsonPatchSteps, decodeJsonPatchSteps, PatchError } from '@ashlar/patch';
import {
  Budget,
  type Evaluating,
  evaluateExpression,
  OutOfBudget,
  POLICY_BUDGET,
  type PolicyAmbient,
} from '../expressions/evaluate-expression.ts';
import type { Explanation } from '../expressions/explanation.ts';
import { meetsConditions } from '../expressions/match-conditions.ts';
import { RequestBindings, type RequestValues } from '../expressions/request-bindings.ts';
import type { CompiledMutation, CompiledMutations } from './compile-mutations.ts';
import { LazyVariables } from './lazy-variables.ts';

/** From this size on, what is done with an object takes turns of its own. */
const LARGE_OBJECT_BYTES = 32_768;

/** A policy cannot change the object as it says: the failure policy decides. */
class MutationError extends Error {}

/** What a policy made of an object. */
export interface MutationOutcome {
  /** The same object if nothing changed. */
  readonly object: ApiObject;
  /** Whether its conditions hold. */
  readonly isMet: boolean;
  /** Whether one of its mutations was done, even if that changed nothing. */
  readonly isDone: boolean;
  /** What failed, in the order of evaluation. */
  readonly failures: readonly string[];
}

/** What a policy is evaluated on. */
export interface MutationInput {
  readonly policy: CompiledMutations;
  /** Null if there are none. */
  readonly params: Value;
  readonly vocabulary: Vocabulary;
  readonly ambient: PolicyAmbient;
  /** Called with whether the match conditions hold, or with the text of their error. */
  readonly onConditions?: ((met: boolean | string) => void) | undefined;
  /** Gets the values of conditions, variables and mutations; absent if they are not needed. */
  readonly explanation?: Explanation | undefined;
  /** Gets the cost of each mutation. */
  readonly costs?: number[];
  /** What expressions read when the object has become this one. */
  valuesOf(object: ApiObject): RequestValues;
  /** Merges a part into an object, and decodes the result. @throws Error */
  mergeSteps(object: ApiObject, part: JsonObject): Steps<ApiObject>;
  /** Decodes a patched object, which must have no unknown fields. @throws Error */
  decodeSteps(object: ApiObject): Steps<ApiObject>;
}

interface SizedInput extends MutationInput {
  /** What expressions make of a large object is mostly as large. */
  readonly isLarge: boolean;
}

/**
 * Evaluates all mutations of a policy, each of which sees what those before it made of the object: one that fails leaves it as it is, and
 * the others are still done (semantics/admission#mutatingadmissionpolicy).
 * @throws StatusError 500 if a patch makes something else of the object
 */
export function* evaluateMutations(object: ApiObject, input: MutationInput): Evaluating<MutationOutcome> {
  const { policy, params, explanation } = input;
  if (policy.conditions.length > 0) {
    const bindings = RequestBindings.of(input.valuesOf(object), params);
    const met = yield* meetsConditions(policy.conditions, bindings, explanation);
    input.onConditions?.(met);
    if (met !== true) return { object, isMet: false, isDone: false, failures: met === false ? [] : [met] };
  }
  let current = object;
  let isLarge = false;
  const failures: string[] = [];
  for (const [index, mutation] of policy.mutations.entries()) {
    // mutations make objects smaller only by what they replace
    isLarge ||= mutation.patchType === 'ApplyConfiguration' && isLargeObject(current);
    try {
      current = yield* mutate(current, mutation, index, { isLarge, ...input });
    } catch (error) {
      if (!(error instanceof MutationError || error instanceof OutOfBudget)) throw error;
      failures.push(error.message);
    }
  }
  const isDone = failures.length < policy.mutations.length;
  return { object: current, isMet: true, isDone, failures };
}

const isLargeObject = (object: ApiObject): boolean =>
  jsonSize(object as unknown as JsonValue, LARGE_OBJECT_BYTES) > LARGE_OBJECT_BYTES;

function* mutate(
  object: ApiObject,
  { expression, patchType }: CompiledMutation,
  index: number,
  input: SizedInput,
): Evaluating<ApiObject> {
  const { policy, params, vocabulary, ambient, explanation } = input;
  const budget = new Budget(POLICY_BUDGET);
  const variables =
    policy.variables.size > 0
      ? new LazyVariables(policy.variables, vocabulary, ambient, explanation)
      : undefined;
  const bindings = RequestBindings.of(input.valuesOf(object), params, variables);
  variables?.bind(bindings, budget);
  const outcome = yield* evaluateExpression(expression, bindings, budget, variables);
  const { value, error, cost } = outcome;
  const field = patchType === 'ApplyConfiguration' ? 'applyConfiguration' : 'jsonPatch';
  explanation?.add(`spec.mutations[${index}].${field}.expression`, expression, outcome);
  input.costs?.push(cost);
  if (error !== undefined) throw new MutationError(error);
  if (patchType === 'ApplyConfiguration') return yield* applied(object, value, input);
  return yield* patched(object, value, input);
}

function* applied(
  object: ApiObject,
  value: Value,
  { mergeSteps, isLarge }: SizedInput,
): Evaluating<ApiObject> {
  if (isLarge) yield undefined;
  const wrong = misplacedType(value);
  if (wrong !== undefined) throw new MutationError(`type mismatch: ${wrong}`);
  const part = { ...(toJson(value) as JsonObject), apiVersion: object.apiVersion, kind: object.kind };
  if (isLarge) yield undefined;
  return yield* failingSteps('error applying patch: ', () => mergeSteps(object, part));
}

function* patched(object: ApiObject, value: Value, { decodeSteps }: MutationInput): Evaluating<ApiObject> {
  const operations = listItems(value)?.map(operationOf) ?? [];
  const patch = yield* failingSteps('JSON Patch: ', () => decodeJsonPatchSteps(operations));
  const steps = applyJsonPatchSteps(object as unknown as JsonValue, patch);
  for (;;) {
    try {
      const { done, value: result } = steps.next();
      if (done) return yield* decodedPatch(() => decodeSteps(result as unknown as ApiObject));
    } catch (error) {
      if (StatusError.is(error)) throw error;
      // a test that fails leaves the object as it is
      if (PatchError.is(error) && error.message.endsWith(': test failed')) return object;
      throw new MutationError(`JSON Patch: ${(error as Error).message}`, { cause: error });
    }
    yield undefined;
  }
}

/** An operation always has a kind and a path. @throws MutationError for a value of another type than its place */
function operationOf(operation: Value): JsonObject {
  const wrong = misplacedTypeIn(operation, 'value');
  if (wrong !== undefined) throw new MutationError(`type mismatch: ${wrong}`);
  return { op: '', path: '', ...(toJson(operation) as JsonObject) };
}

/** What a patch makes of an object must be one of its kind, whatever the failure policy says. @throws StatusError 500 */
function* decodedPatch(decode: () => Steps<ApiObject>): Evaluating<ApiObject> {
  try {
    return yield* decode();
  } catch (error) {
    throw StatusError.is(error) ? error : StatusError.internalError(error);
  }
}

function* failingSteps<T>(prefix: string, work: () => Steps<T>): Evaluating<T> {
  try {
    return yield* work();
  } catch (error) {
    throw new MutationError(prefix + (error as Error).message, { cause: error });
  }
}
