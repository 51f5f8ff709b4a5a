import type { AuditAttributes, AuditDecision } from './audit-decision.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './audit-policy.ts';

/** A rule that is ready to be compared with requests: each in time that does not depend on the length of its lists of names. */
export class CompiledRule {
  readonly decision: AuditDecision;
  readonly #users: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #verbs: ReadonlySet<string>;
  readonly #namespaces: ReadonlySet<string>;
  readonly #resources: readonly CompiledResources[];
  readonly #paths: PathPatterns | undefined;

  constructor(rule: AuditRule, policy: Pick<AuditPolicy, 'omitStages' | 'omitManagedFields'>) {
    const { users, userGroups, verbs, namespaces, resources = [], nonResourceURLs = [] } = rule;
    this.decision = {
      level: rule.level,
      omitStages: new Set([...(policy.omitStages ?? []), ...(rule.omitStages ?? [])]),
      omitManagedFields: rule.omitManagedFields ?? policy.omitManagedFields ?? false,
    };
    this.#users = new Set(users);
    this.#groups = new Set(userGroups);
    this.#verbs = new Set(verbs);
    this.#namespaces = new Set(namespaces);
    this.#resources = resources.map((each) => new CompiledResources(each));
    this.#paths = nonResourceURLs.length > 0 ? new PathPatterns(nonResourceURLs) : undefined;
  }

  matches(attributes: AuditAttributes): boolean {
    const { user, verb } = attributes;
    // before a caller is known he has no name, which no rule can give
    if (this.#users.size > 0 && (user.name === '' || !this.#users.has(user.name))) return false;
    if (this.#groups.size > 0 && !user.groups.some((group) => this.#groups.has(group))) return false;
    if (this.#verbs.size > 0 && !this.#verbs.has(verb)) return false;
    if (this.#namespaces.size > 0 || this.#resources.length > 0) return this.#matchesResource(attributes);
    return !this.#paths || (!attributes.isResourceRequest && this.#paths.matches(attributes.path));
  }

  #matchesResource(attributes: AuditAttributes): boolean {
    if (!attributes.isResourceRequest) return false;
    if (this.#namespaces.size > 0 && !this.#namespaces.has(attributes.namespace)) return false;
    return this.#resources.length === 0 || this.#resources.some((each) => each.matches(attributes));
  }
}

class CompiledResources {
  readonly #group: string;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;

  constructor({ group = '', resources, resourceNames }: AuditedResources) {
    this.#group = group;
    this.#resources = new Set(resources);
    this.#names = new Set(resourceNames);
  }

  matches({ apiGroup, resource, subresource, name }: AuditAttributes): boolean {
    if (apiGroup !== this.#group) return false;
    if (this.#resources.size === 0) return true;
    if (this.#names.size > 0 && !this.#names.has(name)) return false;
    return (
      this.#resources.has('*') ||
      this.#resources.has(subresource === '' ? resource : `${resource}/${subresource}`) ||
      this.#resources.has(`${resource}/*`) ||
      (subresource !== '' && this.#resources.has(`*/${subresource}`))
    );
  }
}

/** Paths, some of which end with a star. */
class PathPatterns {
  readonly #exact: ReadonlySet<string>;
  readonly #prefixes: readonly string[];

  constructor(patterns: readonly string[]) {
    this.#exact = new Set(patterns);
    this.#prefixes = patterns.filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1));
  }

  matches(path: string): boolean {
    return this.#exact.has(path) || this.#prefixes.some((prefix) => path.startsWith(prefix));
  }
}
