import {
  choiceErrors,
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  fieldErrorsOf,
  pathSegmentErrors,
  runAtOnce,
  type Steps,
  validateLabelSelector,
} from '@ashlar/core';
import { matchResourcesErrorsSteps } from './match-resources-errors.ts';
import type { ParamRef, ValidatingAdmissionPolicyBinding } from './policy-objects.ts';

const ACTIONS = ['Audit', 'Deny', 'Warn'];
const NOT_FOUND_ACTIONS = ['Deny', 'Allow'];
const EXCLUSIVE = 'name and selector are mutually exclusive';
const BOTH =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';

/** Returns the errors of a binding (semantics/admission#validatingadmissionpolicy). */
export function validatingBindingErrors(binding: ValidatingAdmissionPolicyBinding): readonly FieldError[] {
  return runAtOnce(validatingBindingErrorsSteps(binding));
}

/** As {@link validatingBindingErrors}, with pauses: it may have very many rules. */
export function* validatingBindingErrorsSteps({
  spec = {},
}: ValidatingAdmissionPolicyBinding): Steps<readonly FieldError[]> {
  const { paramRef, matchResources, validationActions } = spec;
  return [
    ...policyNameErrors(spec.policyName ?? '', 'spec.policyName'),
    ...(paramRef ? paramRefErrors(paramRef, 'spec.paramRef') : []),
    ...(matchResources ? yield* matchResourcesErrorsSteps(matchResources, 'spec.matchResources') : []),
    ...actionErrors(validationActions ?? [], 'spec.validationActions'),
  ];
}

/** Returns the errors of the name of a policy. */
export function policyNameErrors(name: string, path: string): readonly FieldError[] {
  if (name === '') return [FieldErrors.required(path)];
  return dns1123SubdomainErrors(name).map((why) => FieldErrors.invalid(path, name, why));
}

/** Returns the errors of a reference to parameters. */
export function paramRefErrors(
  { name = '', selector, parameterNotFoundAction }: ParamRef,
  path: string,
): readonly FieldError[] {
  const isBoth = name !== '' && selector;
  const action = parameterNotFoundAction ?? '';
  return [
    ...(name === ''
      ? []
      : pathSegmentErrors(name).map((why) => FieldErrors.invalid(`${path}.name`, name, why))),
    ...(isBoth ? [FieldErrors.forbidden(`${path}.name`, EXCLUSIVE)] : []),
    ...(selector ? validateLabelSelector(selector, `${path}.selector`) : []),
    ...(isBoth ? [FieldErrors.forbidden(`${path}.selector`, EXCLUSIVE)] : []),
    ...(name === '' && !selector
      ? [FieldErrors.required(path, 'one of name or selector must be specified')]
      : []),
    ...(action === '' ? [FieldErrors.required(`${path}.parameterNotFoundAction`)] : []),
    ...(action !== '' && !NOT_FOUND_ACTIONS.includes(action)
      ? [FieldErrors.notSupported(`${path}.parameterNotFoundAction`, action, NOT_FOUND_ACTIONS)]
      : []),
  ];
}

function actionErrors(actions: readonly string[], path: string): readonly FieldError[] {
  if (actions.length === 0) return [FieldErrors.required(path, 'at least one validation action is required')];
  const seen = new Set<string>();
  const errors = fieldErrorsOf(actions, (action, index) => {
    const field = `${path}[${index}]`;
    const isDuplicate = seen.has(action);
    seen.add(action);
    return [
      ...choiceErrors(field, action, ACTIONS),
      ...(isDuplicate ? [FieldErrors.duplicate(field, action)] : []),
    ];
  });
  if (seen.has('Deny') && seen.has('Warn')) errors.push(FieldErrors.invalid(path, actions, BOTH));
  return errors;
}
