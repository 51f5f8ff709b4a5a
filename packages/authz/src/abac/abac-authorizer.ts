import {
  type AuthorizationAttributes,
  type AuthorizationDecision,
  type AuthorizationRules,
  type Authorizer,
  type UserInfo,
  withoutTrailing,
} from '@ashlar/core';
import type { AbacPolicy } from './abac-policy.ts';

const ALLOWED: AuthorizationDecision = { decision: 'allow' };
const NONE_MATCHES: AuthorizationDecision = { decision: 'no-opinion', reason: 'No policy matched.' };

/** Mode `ABAC`: allows requests that a policy of the file allows (semantics/access#abac). It never denies. */
export function createAbacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    authorize: (attributes) =>
      policies.some((policy) => allows(policy, attributes)) ? ALLOWED : NONE_MATCHES,
    rules: (user, namespace) => rulesOfPolicies(policies, user, namespace),
  };
}

const ALL = '*';
const AUTHENTICATED = 'system:authenticated';
const READING = new Set(['get', 'list', 'watch']);

function allows(policy: AbacPolicy, attributes: AuthorizationAttributes): boolean {
  if (!isAbout(policy, attributes.user)) return false;
  if (policy.readonly && !READING.has(attributes.verb)) return false;
  return attributes.isResourceRequest
    ? policy.resource !== '' && coversResource(policy, attributes)
    : coversPath(policy.nonResourcePath, attributes.path);
}

/** A star matches every authenticated user; a policy without user and group matches no one. */
function isAbout({ user, group }: AbacPolicy, { name, groups }: UserInfo): boolean {
  if (user === '' && group === '') return false;
  const isKnown = groups.includes(AUTHENTICATED);
  const userFits = user === '' || user === name || (user === ALL && isKnown);
  const groupFits = group === '' || groups.includes(group) || (group === ALL && isKnown);
  return userFits && groupFits;
}

function coversResource(
  policy: AbacPolicy,
  { namespace, resource, apiGroup }: AuthorizationAttributes,
): boolean {
  return (
    (policy.namespace === ALL || policy.namespace === namespace) &&
    (policy.resource === ALL || policy.resource === resource) &&
    (policy.apiGroup === ALL || policy.apiGroup === apiGroup)
  );
}

function coversPath(allowed: string, path: string): boolean {
  if (allowed === '') return false;
  if (allowed === ALL || allowed === path) return true;
  return allowed.endsWith(ALL) && path.startsWith(withoutTrailing(allowed, ALL));
}

function rulesOfPolicies(
  policies: readonly AbacPolicy[],
  user: UserInfo,
  namespace: string,
): AuthorizationRules {
  // a policy of another namespace has no rules about paths here either, although it allows them
  const own = policies.filter(
    (policy) => isAbout(policy, user) && (policy.namespace === ALL || policy.namespace === namespace),
  );
  const verbs = (policy: AbacPolicy): readonly string[] => (policy.readonly ? [...READING] : [ALL]);
  return {
    resourceRules: own
      .filter(({ resource }) => resource !== '')
      .map((policy) => ({
        verbs: verbs(policy),
        apiGroups: [policy.apiGroup],
        resources: [policy.resource],
      })),
    nonResourceRules: own
      .filter(({ nonResourcePath }) => nonResourcePath !== '')
      .map((policy) => ({ verbs: verbs(policy), nonResourceURLs: [policy.nonResourcePath] })),
    incomplete: false,
    errors: [],
  };
}
