import {
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  requiredChoiceErrors,
  runAtOnce,
  type Steps,
  trimSpace,
  type Vocabulary,
} from '@ashlar/core';
import { matchResourcesErrorsSteps } from './match-resources-errors.ts';
import { commonPolicyErrorsSteps, compileErrors, tooManyExpressions } from './policy-errors.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingAdmissionPolicySpec,
  Mutation,
} from './policy-objects.ts';
import { paramRefErrors, policyNameErrors } from './validate-binding.ts';

const PATCH_TYPES = ['ApplyConfiguration', 'JSONPatch'];
const REINVOCATION_POLICIES = ['IfNeeded', 'Never'];

/**
 * Returns the errors of a mutating policy (semantics/admission#mutatingadmissionpolicy).
 * @param stored the policy before the change: its expressions stay valid
 */
export function mutatingPolicyErrors(
  policy: MutatingAdmissionPolicy,
  vocabulary: Vocabulary,
  stored?: MutatingAdmissionPolicy,
): readonly FieldError[] {
  return runAtOnce(mutatingPolicyErrorsSteps(policy, vocabulary, stored));
}

/** As {@link mutatingPolicyErrors}, with pauses: it may have very many expressions and rules. */
export function* mutatingPolicyErrorsSteps(
  { spec = {} }: MutatingAdmissionPolicy,
  vocabulary: Vocabulary,
  stored?: MutatingAdmissionPolicy,
): Steps<readonly FieldError[]> {
  const excess = tooManyExpressions(expressionsOf(spec), 'spec.mutations');
  if (excess) return [excess];
  const storedExpressions = new Set(stored ? expressionsOf(stored.spec ?? {}) : []);
  const isNew = (expression: string): boolean => !storedExpressions.has(expression);
  const expressions = new PolicyExpressions(spec, vocabulary, isNew);
  const { mutations, reinvocationPolicy } = spec;
  return [
    ...(yield* commonPolicyErrorsSteps(spec, expressions, { vocabulary, isNew })),
    ...((mutations ?? []).length === 0
      ? [FieldErrors.required('spec.mutations', 'mutations must contain at least one item')]
      : []),
    ...(yield* fieldErrorsOfSteps(mutations ?? [], (mutation, index) =>
      mutationErrors(mutation, `spec.mutations[${index}]`, expressions),
    )),
    ...requiredChoiceErrors('spec.reinvocationPolicy', reinvocationPolicy, REINVOCATION_POLICIES),
  ];
}

/** One after the other, as those of validating policies. */
function* expressionsOf(spec: MutatingAdmissionPolicySpec): Iterable<string> {
  for (const { expression } of spec.matchConditions ?? []) yield expression;
  for (const { expression } of spec.variables ?? []) yield expression;
  for (const { applyConfiguration, jsonPatch } of spec.mutations ?? []) {
    yield applyConfiguration?.expression ?? '';
    yield jsonPatch?.expression ?? '';
  }
}

function mutationErrors(
  mutation: Mutation,
  path: string,
  expressions: PolicyExpressions,
): readonly FieldError[] {
  const { patchType } = mutation;
  if (patchType === 'JSONPatch')
    return partErrors(mutation, ['jsonPatch', 'applyConfiguration'], path, (text) =>
      expressions.jsonPatch(text),
    );
  if (patchType === 'ApplyConfiguration')
    return partErrors(mutation, ['applyConfiguration', 'jsonPatch'], path, (text) =>
      expressions.applyConfiguration(text),
    );
  return requiredChoiceErrors(`${path}.patchType`, patchType, PATCH_TYPES);
}

function partErrors(
  mutation: Mutation,
  [requiredField, otherField]: readonly [
    'jsonPatch' | 'applyConfiguration',
    'jsonPatch' | 'applyConfiguration',
  ],
  path: string,
  compile: PolicyExpressions['jsonPatch'],
): readonly FieldError[] {
  const { patchType, [requiredField]: part } = mutation;
  const { expression = '' } = part ?? {};
  const where = `${path}.${requiredField}`;
  return [
    ...(part ? [] : [FieldErrors.required(where, `must be specified when patchType is ${patchType}`)]),
    ...(part && trimSpace(expression) === ''
      ? [FieldErrors.required(`${where}.expression`, 'expression is not specified')]
      : []),
    ...(part && trimSpace(expression) !== ''
      ? compileErrors(compile.call(undefined, expression), `${where}.expression`)
      : []),
    ...(mutation[otherField]
      ? [
          FieldErrors.invalid(
            `${path}.${otherField}`,
            `{${otherField}}`,
            `must not be specified when patchType is ${patchType}`,
          ),
        ]
      : []),
  ];
}

/** Returns the errors of a binding of a mutating policy. */
export function mutatingBindingErrors(binding: MutatingAdmissionPolicyBinding): readonly FieldError[] {
  return runAtOnce(mutatingBindingErrorsSteps(binding));
}

/** As {@link mutatingBindingErrors}, with pauses: it may have very many rules. */
export function* mutatingBindingErrorsSteps({
  spec = {},
}: MutatingAdmissionPolicyBinding): Steps<readonly FieldError[]> {
  const { paramRef, matchResources } = spec;
  return [
    ...policyNameErrors(spec.policyName ?? '', 'spec.policyName'),
    ...(paramRef ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? yield* matchResourcesErrorsSteps(matchResources, 'spec.matchResources') : []),
  ];
}
