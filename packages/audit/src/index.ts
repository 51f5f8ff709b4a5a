export { type AuditOptions, Auditor, type AuditorOptions } from './auditor.ts';
export type { AuditBackendOptions, AuditMode, TruncateOptions } from './backends/audit-backend.ts';
export { type AuditLogOptions, createAuditLog } from './backends/audit-log.ts';
export type { AuditSink } from './backends/audit-sink.ts';
export { type AuditWebhookOptions, createAuditWebhook } from './backends/audit-webhook.ts';
export type { BatchOptions } from './backends/batch-queue.ts';
export type { RateLimitOptions } from './backends/rate-limit.ts';
export {
  AUDIT_LEVELS,
  AUDIT_STAGES,
  type AuditLevel,
  type AuditStage,
  isAtLeast,
} from './events/audit-level.ts';
export type { EncodedEvent } from './events/encoded-event.ts';
export type {
  JsonPieces,
  LoggedEvent,
  LoggedObject,
  LoggedStatus,
  LoggedUser,
} from './events/logged-event.ts';
export { microTime } from './events/micro-time.ts';
export type { AuditAttributes, AuditDecision } from './policy/audit-decision.ts';
export type { AuditedResources, AuditPolicy, AuditRule } from './policy/audit-policy.ts';
export { AuditPolicyError } from './policy/audit-policy-error.ts';
export { type ReadAuditPolicy, readAuditPolicy } from './policy/read-audit-policy.ts';
