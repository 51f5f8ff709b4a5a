import type { AuthorizationAttributes } from '@ashlar/core';
import type { AuditLevel, AuditStage } from '../events/audit-level.ts';

/** The attributes of a request that rules read; the user is the caller, and empty before he is known. */
export type AuditAttributes = Omit<AuthorizationAttributes, 'apiVersion' | 'labelSelector' | 'fieldSelector'>;

/** What is recorded of a request. */
export interface AuditDecision {
  readonly level: AuditLevel;
  /** Stages that are not recorded. */
  readonly omitStages: ReadonlySet<AuditStage>;
  readonly omitManagedFields: boolean;
}
