import {
  choiceErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  pathSegmentErrors,
  validateLabelSelector,
} from '@ashlar/core';
import type { NamedAdmissionRule } from '../matching/request-matching.ts';
import { admissionRuleErrors } from '../validate-admission-rule.ts';
import type { MatchResources } from './policy-objects.ts';

const MATCH_POLICIES = ['Equivalent', 'Exact'];

/** Returns the errors of what a policy or a binding matches (semantics/admission#validatingadmissionpolicy). */
export function matchResourcesErrors(
  { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules }: MatchResources,
  path: string,
): readonly FieldError[] {
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
    ...fieldErrorsOf(resourceRules ?? [], (rule, index) =>
      namedRuleErrors(rule, `${path}.resourceRules[${index}]`),
    ),
    ...fieldErrorsOf(excludeResourceRules ?? [], (rule, index) =>
      namedRuleErrors(rule, `${path}.excludeResourceRules[${index}]`),
    ),
  ];
}

function namedRuleErrors(rule: NamedAdmissionRule, path: string): readonly FieldError[] {
  const seen = new Set<string>();
  const ofNames = fieldErrorsOf(rule.resourceNames ?? [], (name, index) => {
    const field = `${path}.resourceNames[${index}]`;
    const isDuplicate = seen.has(name);
    seen.add(name);
    return [
      ...pathSegmentErrors(name).map((why) => FieldErrors.invalid(field, name, why)),
      ...(isDuplicate ? [FieldErrors.duplicate(field, name)] : []),
    ];
  });
  return [...ofNames, ...admissionRuleErrors(rule, path)];
}
