import type { Steps, Vocabulary } from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { type CompiledScope, compileScopeSteps, eachSteps } from './compile-policy.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type { MutatingAdmissionPolicySpec, Mutation } from './policy-objects.ts';

/** A mutation of a policy, compiled. */
export interface CompiledMutation {
  readonly patchType: 'ApplyConfiguration' | 'JSONPatch';
  readonly expression: AdmissionExpression;
}

/** The expressions of a mutating policy, compiled. */
export interface CompiledMutations extends CompiledScope {
  readonly mutations: readonly CompiledMutation[];
  /** Whether it is evaluated again when the object changes after it. */
  readonly isReinvoked: boolean;
}

/** Compiles a stored policy, with pauses; expressions that cannot be compiled are errors when they are evaluated. */
export function* compileMutationsSteps(
  spec: MutatingAdmissionPolicySpec,
  vocabulary: Vocabulary,
): Steps<CompiledMutations> {
  const expressions = new PolicyExpressions(spec, vocabulary);
  const scope = yield* compileScopeSteps(spec, vocabulary, expressions);
  const mutations = yield* eachSteps(spec.mutations ?? [], (each) => compileMutation(each, expressions));
  return { ...scope, mutations, isReinvoked: spec.reinvocationPolicy === 'IfNeeded' };
}

function compileMutation(
  { patchType, applyConfiguration, jsonPatch }: Mutation,
  expressions: PolicyExpressions,
): CompiledMutation {
  if (patchType === 'JSONPatch')
    return { patchType, expression: expressions.jsonPatch(jsonPatch?.expression ?? '') };
  const text = applyConfiguration?.expression ?? '';
  return { patchType: 'ApplyConfiguration', expression: expressions.applyConfiguration(text) };
}
