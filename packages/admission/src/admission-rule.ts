import type { AdmissionRequest } from './admission-request.ts';

/** Selects requests for a webhook or a policy; `*` matches everything (semantics/admission). */
export interface AdmissionRule {
  /** Matches nothing if empty. */
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  /** `pods`, `pods/status`, `pods/*`, `*` before `/status`; one without a slash matches objects only. */
  readonly resources?: readonly string[] | null;
  /** `Namespaced`, `Cluster` or `*`; default `*`. */
  readonly scope?: string | null;
}

/** The attributes of a request that a rule matches. */
export type RuleTarget = Pick<AdmissionRequest, 'operation' | 'resource' | 'subresource' | 'namespace'>;

const ALL = '*';

/**
 * Whether a rule matches a request. A namespace belongs to no namespace, although requests for it have its
 * own name.
 * @example
 * const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['pods', 'pods/*']
 * };
 * admissionRuleMatches(rule, request); // true for the creation of a pod
 */
export function admissionRuleMatches(rule: AdmissionRule, request: RuleTarget): boolean {
  const { group, version } = request.resource;
  return (
    scopeMatches(rule.scope ?? ALL, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    anyResourceMatches(rule.resources, request)
  );
}

const includes = (patterns: readonly string[] | null | undefined, value: string): boolean =>
  patterns ? patterns.includes(value) || patterns.includes(ALL) : false;

/** Every write checks every rule of its resource: usual ones allocate nothing. */
function anyResourceMatches(patterns: readonly string[] | null | undefined, target: RuleTarget): boolean {
  for (const pattern of patterns ?? NONE) if (resourceMatches(pattern, target)) return true;
  return false;
}

const NONE: readonly string[] = [];

function scopeMatches(scope: string, { resource, namespace }: RuleTarget): boolean {
  const { group, version, resource: plural } = resource;
  const isNamespace = group === '' && version === 'v1' && plural === 'namespaces';
  const isNamespaced = namespace !== '' && !isNamespace;
  if (scope === ALL) return true;
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster');
}

function resourceMatches(pattern: string, { resource, subresource }: RuleTarget): boolean {
  if (pattern === resource.resource) return subresource === '';
  const slash = pattern.indexOf('/');
  const name = slash < 0 ? pattern : pattern.slice(0, slash);
  const sub = slash < 0 ? '' : pattern.slice(slash + 1);
  return (name === ALL || name === resource.resource) && (sub === ALL || sub === subresource);
}
