import type { AdmissionRequest } from './admission-request.ts';

/** Which requests a webhook or a policy is asked about; a star stands for everything (semantics/admission). */
export interface AdmissionRule {
  /** Without any, none is matched. */
  readonly operations?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly apiVersions?: readonly string[] | null;
  /** `pods`, `pods/status`, `pods/*`, `*` before `/status`; one without a slash is about objects alone. */
  readonly resources?: readonly string[] | null;
  /** `Namespaced`, `Cluster` or `*`; default `*`. */
  readonly scope?: string | null;
}

/** What of a request a rule looks at. */
export type RuleTarget = Pick<AdmissionRequest, 'operation' | 'resource' | 'subresource' | 'namespace'>;

const ALL = '*';

/**
 * Whether a rule is about a request. A namespace belongs to no namespace, although requests for it carry its own name.
 * @example
 * const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['*'], resources: ['pods', 'pods/*'] };
 * admissionRuleMatches(rule, request); // true for a pod that is made
 */
export function admissionRuleMatches(rule: AdmissionRule, request: RuleTarget): boolean {
  const { group, version } = request.resource;
  return (
    scopeMatches(rule.scope ?? ALL, request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, group) &&
    includes(rule.apiVersions, version) &&
    (rule.resources ?? []).some((resource) => resourceMatches(resource, request))
  );
}

const includes = (patterns: readonly string[] | null | undefined, value: string): boolean =>
  (patterns ?? []).some((pattern) => pattern === ALL || pattern === value);

function scopeMatches(scope: string, { resource, namespace }: RuleTarget): boolean {
  const { group, version, resource: plural } = resource;
  const isNamespace = group === '' && version === 'v1' && plural === 'namespaces';
  const isNamespaced = namespace !== '' && !isNamespace;
  if (scope === ALL) return true;
  return scope === (isNamespaced ? 'Namespaced' : 'Cluster');
}

function resourceMatches(pattern: string, { resource, subresource }: RuleTarget): boolean {
  const slash = pattern.indexOf('/');
  const name = slash < 0 ? pattern : pattern.slice(0, slash);
  const sub = slash < 0 ? '' : pattern.slice(slash + 1);
  return (name === ALL || name === resource.resource) && (sub === ALL || sub === subresource);
}
