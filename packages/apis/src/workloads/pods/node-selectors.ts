import {
  dns1123SubdomainErrors,
  type FieldError,
  FieldErrors,
  qualifiedNameErrors,
  type Steps,
} from '@ashlar/core';
import { each, follows, forbiddenWhen, invalidWhen, requiredWhen } from '../field-rules.ts';
import { ListRule } from '../list-rule.ts';
import type { NodeRequirement, NodeSelector, NodeSelectorTerm } from './placement-types.ts';

// Selectors of nodes by their labels and fields.

/** Errors of a selector of nodes; values of labels are not looked at. */
export function nodeSelectorErrors({ nodeSelectorTerms }: NodeSelector, path: string): readonly FieldError[] {
  const at = `${path}.nodeSelectorTerms`;
  return [
    ...requiredWhen(!nodeSelectorTerms?.length, at, 'must have at least one node selector term'),
    ...nodeTerms.errors(at, nodeSelectorTerms),
  ];
}

/** Validates long lists of terms with pauses: `nodeSelectorErrors` then knows their errors. */
export function nodeSelectorAheadSteps(selector: NodeSelector | undefined): Steps<void> {
  return nodeTerms.aheadSteps(selector?.nodeSelectorTerms);
}

const nodeTerms: ListRule<NodeSelectorTerm> = new ListRule((term, path) =>
  nodeSelectorTermErrors(term, path),
);

/** Errors of what is required of a node together. */
export function nodeSelectorTermErrors(
  { matchExpressions, matchFields }: NodeSelectorTerm,
  path: string,
): readonly FieldError[] {
  return [
    ...each(`${path}.matchExpressions`, matchExpressions, labelErrors),
    ...each(`${path}.matchFields`, matchFields, fieldErrors),
  ];
}

const NOT_AN_OPERATOR = 'not a valid selector operator';

function labelErrors(requirement: NodeRequirement, path: string): readonly FieldError[] {
  return [
    ...operatorErrors(requirement, path),
    ...follows(`${path}.key`, requirement.key ?? '', qualifiedNameErrors),
  ];
}

function operatorErrors({ operator = '', values }: NodeRequirement, path: string): readonly FieldError[] {
  const count = values?.length ?? 0;
  const at = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return requiredWhen(count === 0, at, "must be specified when `operator` is 'In' or 'NotIn'");
    case 'Exists':
    case 'DoesNotExist':
      return forbiddenWhen(
        count > 0,
        at,
        "may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      );
    case 'Gt':
    case 'Lt':
      return requiredWhen(count !== 1, at, "must be specified single value when `operator` is 'Lt' or 'Gt'");
    default:
      return [FieldErrors.invalid(`${path}.operator`, operator, NOT_AN_OPERATOR)];
  }
}

/** The only field is the name. */
function fieldErrors(
  { key = '', operator = '', values }: NodeRequirement,
  path: string,
): readonly FieldError[] {
  const isKnown = operator === 'In' || operator === 'NotIn';
  return [
    ...requiredWhen(
      isKnown && values?.length !== 1,
      `${path}.values`,
      "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
    ),
    ...invalidWhen(!isKnown, `${path}.operator`, operator, NOT_AN_OPERATOR),
    ...(key === 'metadata.name'
      ? each(`${path}.values`, values, (name, at) => follows(at, name, dns1123SubdomainErrors))
      : [FieldErrors.invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}
