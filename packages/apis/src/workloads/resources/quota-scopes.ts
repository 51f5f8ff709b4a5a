import { type FieldError, FieldErrors, fieldErrorsOf, goQuote, printedBy } from '@ashlar/core';
import { invalidWhen, NO_ERRORS, requiredWhen } from '../field-rules.ts';
import type { ResourceQuota } from './quota-types.ts';
import { isOfQuotas } from './resource-names.ts';

// Which objects of a namespace a quota counts.

type QuotaSpec = NonNullable<ResourceQuota['spec']>;
type Requirement = NonNullable<NonNullable<QuotaSpec['scopeSelector']>['matchExpressions']>[number];

/** Scopes that take no values. */
const WITHOUT_VALUES: readonly string[] = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
];
const SCOPES: readonly string[] = [...WITHOUT_VALUES, 'PriorityClass'];

const OPPOSITES: readonly (readonly string[])[] = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];

/** Resources of pods: only they can be counted in a scope. */
const OF_PODS: ReadonlySet<string> = new Set([
  'pods',
  ...['cpu', 'memory'].flatMap((name) => [name, `limits.${name}`, `requests.${name}`]),
]);

/** Errors of the scopes of a quota. */
export function scopesErrors(spec: QuotaSpec, path: string): readonly FieldError[] {
  const { scopes = [] } = spec;
  const at = `${path}.scopes`;
  const shown = printedScopes(scopes);
  const uncounted = uncountedErrors(spec, at, shown);
  return [
    ...fieldErrorsOf(scopes, (scope) => [
      ...invalidWhen(!SCOPES.includes(scope), at, shown, 'unsupported scope'),
      ...(uncounted.get(scope) ?? NO_ERRORS),
    ]),
    ...oppositesErrors(scopes, at, shown),
    ...selectorErrors(spec, `${path}.scopeSelector.matchExpressions`),
  ];
}

/** Scopes as errors print them: as the list of a type with a name. */
export const printedScopes = (scopes: readonly string[] | undefined): unknown =>
  printedBy(scopes ?? [], () => {
    const type = '[]core.ResourceQuotaScope';
    return scopes ? `${type}{${scopes.map(goQuote).join(', ')}}` : `${type}(nil)`;
  });

/** Errors of resources that are not counted in a scope, by scope. */
function uncountedErrors(
  { hard = {} }: QuotaSpec,
  path: string,
  shown: unknown,
): ReadonlyMap<string, readonly FieldError[]> {
  const names = Object.keys(hard).filter(isOfQuotas);
  const errorsOf = (scope: string): readonly FieldError[] =>
    fieldErrorsOf(names, (name) => {
      const isCounted = scope === 'BestEffort' ? name === 'pods' : OF_PODS.has(name);
      return invalidWhen(!isCounted, path, shown, 'unsupported scope applied to resource');
    });
  return new Map(SCOPES.map((scope) => [scope, errorsOf(scope)]));
}

const oppositesErrors = (scopes: readonly string[], path: string, shown: unknown): readonly FieldError[] =>
  OPPOSITES.flatMap((pair) =>
    invalidWhen(
      pair.every((scope) => scopes.includes(scope)),
      path,
      shown,
      'conflicting scopes',
    ),
  );

function selectorErrors(spec: QuotaSpec, path: string): readonly FieldError[] {
  const { scopeSelector, scopes } = spec;
  if (!scopeSelector) return NO_ERRORS;
  const { matchExpressions = [] } = scopeSelector;
  const uncounted = uncountedErrors(spec, path, scopeSelector);
  return [
    ...fieldErrorsOf(matchExpressions, (requirement) => [
      ...scopeErrors(requirement, path),
      ...(uncounted.get(requirement.scopeName ?? '') ?? NO_ERRORS),
      ...operatorErrors(requirement, path),
    ]),
    ...oppositesErrors(
      matchExpressions.map(({ scopeName = '' }) => scopeName),
      path,
      scopes,
    ),
  ];
}

function scopeErrors({ scopeName = '' }: Requirement, path: string): readonly FieldError[] {
  return invalidWhen(!SCOPES.includes(scopeName), `${path}.scopeName`, scopeName, 'unsupported scope');
}

const ONLY_EXISTS =
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";

function operatorErrors(
  { scopeName = '', operator = '', values = [] }: Requirement,
  path: string,
): readonly FieldError[] {
  const at = `${path}.operator`;
  return [
    ...invalidWhen(WITHOUT_VALUES.includes(scopeName) && operator !== 'Exists', at, operator, ONLY_EXISTS),
    ...valuesErrors(operator, values, path),
  ];
}

function valuesErrors(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  const at = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return requiredWhen(
        values.length === 0,
        at,
        "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
      );
    case 'Exists':
    case 'DoesNotExist':
      return invalidWhen(
        values.length > 0,
        at,
        values,
        "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
      );
    default:
      return [FieldErrors.invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
