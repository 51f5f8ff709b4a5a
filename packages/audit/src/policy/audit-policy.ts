import type { AuditLevel, AuditStage } from '../events/audit-level.ts';

/** Resources of one group that a rule is for. Without resources, all of the group with their subresources. */
export interface AuditedResources {
  /** Empty for the core group. */
  readonly group?: string;
  /** `pods`, `pods/log`, `pods/*`, every `status`, `*`. */
  readonly resources?: readonly string[];
  /** Names of objects; an empty one fits requests without a name. */
  readonly resourceNames?: readonly string[];
}

/** What is recorded of the requests that all of its members fit; those that are absent fit every request. */
export interface AuditRule {
  readonly level: AuditLevel;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly resources?: readonly AuditedResources[];
  /** The empty text fits what is in no namespace. */
  readonly namespaces?: readonly string[];
  /** Paths, which may end with a star. */
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly AuditStage[];
  /** Default: that of the policy. */
  readonly omitManagedFields?: boolean;
}

/** Which requests are recorded, and how much of them: the first rule that fits decides, and nothing is recorded if none does. */
export interface AuditPolicy {
  readonly rules: readonly AuditRule[];
  /** Stages that no rule records. */
  readonly omitStages?: readonly AuditStage[];
  readonly omitManagedFields?: boolean;
}
