import { type AdmissionRequest, forbiddenByAdmission } from '@ashlar/admission';
import { type ApiObject, compareUtf8, type GroupResource, StatusError } from '@ashlar/core';
import type { ResourceQuota } from '../resources/quota-types.ts';
import { scopesOf } from './quota-check.ts';
import type { QuotaScope, QuotaUsage } from './resource-usage.ts';

/** What objects of a type may use only where a quota limits it. */
export interface LimitedResource {
  /** Default: the core group. */
  readonly apiGroup?: string;
  /** Plural: `pods`. */
  readonly resource: string;
  /** Parts of the names by which quotas count the use: `requests.storage`. */
  readonly matchContains?: readonly string[];
  /** Objects in one of these scopes need a quota with that scope. */
  readonly matchScopes?: readonly QuotaScope[];
}

/**
 * Requires quotas for what an object uses, if it is limited without one.
 * @param matching those of the namespace's quotas that limit the object
 * @throws StatusError 403 for a name that no quota counts, 500 for a scope that no quota has
 */
export function requireQuotas(
  request: AdmissionRequest & { readonly object: ApiObject },
  usage: QuotaUsage,
  limited: readonly LimitedResource[],
  quotas: { readonly all: readonly ResourceQuota[]; readonly matching: readonly ResourceQuota[] },
): void {
  const counted = new Set(quotas.matching.flatMap(({ status }) => Object.keys(status?.hard ?? {})));
  const uncounted = limitedNames(request, usage, limited).filter((name) => !counted.has(name));
  if (uncounted.length > 0)
    throw forbiddenByAdmission(request, `insufficient quota to consume: ${uncounted.join(',')}`);
  const { object } = request;
  const isIn = (scope: QuotaScope): boolean => usage.isInScope?.(scope, object) ?? false;
  const covered = new Set(
    quotas.all
      .flatMap(scopesOf)
      .filter(isIn)
      .map(({ scopeName }) => scopeName),
  );
  const scopes = limited
    .flatMap(({ matchScopes = [] }) => matchScopes)
    .filter((scope) => isIn(scope) && !covered.has(scope.scopeName));
  if (scopes.length === 0) return;
  const message = `insufficient quota to match these scopes: [${scopes.map(scopeText).join(' ')}]`;
  throw new StatusError({ code: 500, reason: '', message });
}

/** The names of what an object uses that need a quota, in order. */
function limitedNames(
  { resource, object }: { readonly resource: GroupResource; readonly object: ApiObject },
  usage: QuotaUsage,
  limited: readonly LimitedResource[],
): readonly string[] {
  const parts = limited
    .filter(
      ({ apiGroup = '', resource: plural }) => apiGroup === resource.group && plural === resource.resource,
    )
    .flatMap(({ matchContains = [] }) => matchContains);
  return [...usage.of(object)]
    .filter(([name, amount]) => amount.sign > 0 && parts.some((part) => name.includes(part)))
    .map(([name]) => name)
    .sort(compareUtf8);
}

const scopeText = ({ scopeName = '', operator = '', values = [] }: QuotaScope): string =>
  `{${scopeName} ${operator} [${values.join(' ')}]}`;
