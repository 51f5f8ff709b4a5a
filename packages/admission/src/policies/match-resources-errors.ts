import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOfSteps,
  MAXIMUM_FIELD_ERRORS,
  pathSegmentErrors,
  type Steps,
  validateLabelSelector,
} from '@ashlar/core';
import type { NamedAdmissionRule } from '../matching/request-matching.ts';
import { admissionRuleErrors } from '../validate-admission-rule.ts';
import type { MatchResources } from './policy-objects.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];

/** Returns the errors of what a policy or a binding matches (semantics/admission#validatingadmissionpolicy), with pauses. */
export function* matchResourcesErrorsSteps(
  { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules }: MatchResources,
  path: string,
): Steps<readonly FieldError[]> {
  // defaults fill what is absent; patches may leave a null behind
  return [
    ...(matchPolicy === undefined || matchPolicy === null
      ? [FieldErrors.required(`${path}.matchPolicy`)]
      : choiceErrors(`${path}.matchPolicy`, matchPolicy, MATCH_POLICIES)),
    ...(namespaceSelector
      ? validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`)
      : [FieldErrors.required(`${path}.namespaceSelector`)]),
    ...(objectSelector
      ? validateLabelSelector(objectSelector, `${path}.objectSelector`)
      : [FieldErrors.required(`${path}.labelSelector`)]),
    ...(yield* namedRulesErrors(resourceRules ?? [], `${path}.resourceRules`)),
    ...(yield* namedRulesErrors(excludeResourceRules ?? [], `${path}.excludeResourceRules`)),
  ];
}

/** Rules between two pauses. */
const RULES_PER_STEP = 64;

function* namedRulesErrors(rules: readonly NamedAdmissionRule[], path: string): Steps<readonly FieldError[]> {
  const errors: FieldError[] = [];
  for (const [index, rule] of rules.entries()) {
    const field = `${path}[${index}]`;
    errors.push(
      ...(yield* resourceNamesErrors(rule.resourceNames ?? [], `${field}.resourceNames`)),
      ...admissionRuleErrors(rule, field),
    );
    if (errors.length > MAXIMUM_FIELD_ERRORS) break;
    if (index % RULES_PER_STEP === RULES_PER_STEP - 1) yield;
  }
  return errors;
}

function* resourceNamesErrors(names: readonly string[], path: string): Steps<readonly FieldError[]> {
  const seen = new Set<string>();
  return yield* fieldErrorsOfSteps(names, (name, index) => {
    const field = `${path}[${index}]`;
    const isDuplicate = seen.has(name);
    seen.add(name);
    return [
      ...pathSegmentErrors(name).map((why) => FieldErrors.invalid(field, name, why)),
      ...(isDuplicate ? [FieldErrors.duplicate(field, name)] : []),
    ];
  });
}
