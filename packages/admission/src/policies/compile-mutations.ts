import type { Vocabulary } from '@ashlar/core';
import type { AdmissionExpression } from '../expressions/admission-expression.ts';
import { type CompiledScope, compileScope } from './compile-policy.ts';
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

/** Compiles a stored policy; expressions that cannot be compiled are errors when they are evaluated. */
export function compileMutations(
  spec: MutatingAdmissionPolicySpec,
  vocabulary: Vocabulary,
): CompiledMutations {
  const expressions = new PolicyExpressions(spec, vocabulary);
  return {
    ...compileScope(spec, vocabulary, expressions),
    mutations: (spec.mutations ?? []).map((mutation) => compileMutation(mutation, expressions)),
    isReinvoked: spec.reinvocationPolicy === 'IfNeeded',
  };
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
