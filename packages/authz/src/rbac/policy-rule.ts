import { type AuthorizationAttributes, withoutTrailing } from '@ashlar/core';

/** A rule of a role: verbs on resources or on non-resource paths (semantics/access#rbac). */
export interface PolicyRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  /** `pods`, `pods/log`, `*` (all, including subresources) or `*` + `/log` (that subresource of anything). */
  readonly resources?: readonly string[] | null;
  /** Without names the rule covers all objects; with names it does not cover requests without one. */
  readonly resourceNames?: readonly string[] | null;
  /** Paths; a trailing star matches any suffix. */
  readonly nonResourceURLs?: readonly string[] | null;
}

const ALL = '*';

/** The attributes of a request that rules match. */
export type RuleSubject = Pick<
  AuthorizationAttributes,
  'verb' | 'isResourceRequest' | 'apiGroup' | 'resource' | 'subresource' | 'name' | 'path'
>;

/** Whether a rule allows a request (semantics/access#rbac). */
export function ruleAllows(rule: PolicyRule, request: RuleSubject): boolean {
  if (!includesOrAll(rule.verbs, request.verb)) return false;
  if (!request.isResourceRequest)
    return (rule.nonResourceURLs ?? []).some((url) => urlCovers(url, request.path));
  return (
    includesOrAll(rule.apiGroups, request.apiGroup) &&
    resourceMatches(rule.resources, request.resource, request.subresource) &&
    nameMatches(rule.resourceNames, request.name)
  );
}

const includesOrAll = (allowed: readonly string[] | null | undefined, requested: string): boolean =>
  allowed ? allowed.includes(ALL) || allowed.includes(requested) : false;

function resourceMatches(
  allowed: readonly string[] | null | undefined,
  resource: string,
  subresource: string,
): boolean {
  if (!allowed) return false;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  if (allowed.includes(ALL) || allowed.includes(combined)) return true;
  return subresource !== '' && allowed.includes(`*/${subresource}`);
}

const nameMatches = (allowed: readonly string[] | null | undefined, name: string): boolean =>
  !allowed || allowed.length === 0 || allowed.includes(name);

/** Whether a path pattern, which may end in a star, matches another path. */
function urlCovers(rule: string, path: string): boolean {
  if (rule === ALL || rule === path) return true;
  return rule.endsWith(ALL) && path.startsWith(withoutTrailing(rule, ALL));
}

/** Whether a list includes a text. */
type Includes = (list: readonly string[], text: string) => boolean;

const isIncluded: Includes = (list, text) => list.includes(text);

/**
 * Whether one rule grants everything that another does (semantics/access#rbac).
 * @param includes searches a list of the owner; by default text by text
 */
export function ruleCovers(owner: PolicyRule, servant: PolicyRule, includes: Includes = isIncluded): boolean {
  return (
    includesAllOrStar(owner.verbs, servant.verbs, includes) &&
    includesAllOrStar(owner.apiGroups, servant.apiGroups, includes) &&
    (servant.resources ?? []).every((path) => coversResource(owner.resources ?? [], path, includes)) &&
    namesCover(owner.resourceNames ?? [], servant.resourceNames ?? [], includes) &&
    (servant.nonResourceURLs ?? []).every((url) =>
      (owner.nonResourceURLs ?? []).some((owned) => urlCovers(owned, url)),
    )
  );
}

function includesAllOrStar(
  owned: readonly string[] | null | undefined,
  requested: readonly string[] | null | undefined,
  includes: Includes,
): boolean {
  const ownedNames = owned ?? [];
  return includes(ownedNames, ALL) || (requested ?? []).every((each) => includes(ownedNames, each));
}

function coversResource(owned: readonly string[], path: string, includes: Includes): boolean {
  if (includes(owned, ALL) || includes(owned, path)) return true;
  const slash = path.indexOf('/');
  return slash >= 0 && includes(owned, `*/${path.slice(slash + 1)}`);
}

const namesCover = (owned: readonly string[], requested: readonly string[], includes: Includes): boolean =>
  owned.length === 0 || (requested.length > 0 && requested.every((name) => includes(owned, name)));
