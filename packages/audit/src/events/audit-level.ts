/** How much is recorded of a request, from nothing to the objects of request and response (semantics/requests#audit). */
export type AuditLevel = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

export const AUDIT_LEVELS: readonly AuditLevel[] = ['None', 'Metadata', 'Request', 'RequestResponse'];

/** When an event is recorded: before the request is handled, once a long response begins, once it has ended, when the program fails. */
export type AuditStage = 'RequestReceived' | 'ResponseStarted' | 'ResponseComplete' | 'Panic';

export const AUDIT_STAGES: readonly AuditStage[] = [
  'RequestReceived',
  'ResponseStarted',
  'ResponseComplete',
  'Panic',
];

/** Whether a level records as much as another one, or more. */
export function isAtLeast(level: AuditLevel, other: AuditLevel): boolean {
  return AUDIT_LEVELS.indexOf(level) >= AUDIT_LEVELS.indexOf(other);
}
