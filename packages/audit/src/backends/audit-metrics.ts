import type { Metrics } from '@ashlar/core';
import type { AuditLevel } from '../events/audit-level.ts';

/** Counts what becomes of events (semantics/discovery#metrics). */
export interface AuditMetrics {
  /** A request was judged by the policy. */
  decided(level: AuditLevel): void;
  /** An event was made. */
  recorded(): void;
  /** Events were lost. @param plugin what lost them: `log`, `webhook`, `buffered`, `truncate` */
  failed(plugin: string, events: number): void;
  /** A request was refused because its event could not be stored. */
  rejected(): void;
}

export function createAuditMetrics(metrics: Metrics): AuditMetrics {
  const [events, rejected] = [
    metrics.counter({ name: 'apiserver_audit_event_total', help: 'Number of audit events that were made.' }),
    metrics.counter({
      name: 'apiserver_audit_requests_rejected_total',
      help: 'Number of requests that were refused because their audit event could not be stored.',
    }),
  ].map((counter) => counter.of([]));
  const levels = metrics.counter({
    name: 'apiserver_audit_level_total',
    help: 'Number of requests by the level that the audit policy gives them.',
    labels: ['level'],
  });
  const errors = metrics.counter({
    name: 'apiserver_audit_error_total',
    help: 'Number of audit events that were lost, by what lost them.',
    labels: ['plugin'],
  });
  return {
    decided: (level) => levels.add([level]),
    recorded: () => events?.add(),
    failed: (plugin, amount) => errors.add([plugin], amount),
    rejected: () => rejected?.add(),
  };
}

/** Counts nothing. */
export const noAuditMetrics: AuditMetrics = {
  decided: () => {},
  recorded: () => {},
  failed: () => {},
  rejected: () => {},
};
