export type { FlowRequest } from './classification/flow-request.ts';
export type { FlowConfiguration } from './flow-configuration.ts';
export { FlowControl, type FlowControlOptions, type FlowRejection } from './flow-control.ts';
export type {
  ConfiguredLevel,
  ConfiguredSchema,
  FlowPathRule,
  FlowResourceRule,
  FlowRule,
  FlowSchema,
  FlowSubject,
  LimitedPriority,
  PriorityLevel,
  Queuing,
} from './flow-objects.ts';
export type { FlowClass, FlowCounts } from './levels/flow-class.ts';
export type { FlowLevel } from './levels/flow-level.ts';
export type { FlowTicket } from './levels/flow-ticket.ts';
export type { FlowWork } from './levels/flow-work.ts';
export type { RejectionReason } from './levels/rejection-reason.ts';
export type { Patience } from './levels/waiting-tickets.ts';
export { dumpLevels } from './observation/dump-levels.ts';
export { dumpQueues } from './observation/dump-queues.ts';
export { dumpRequests, type RequestDumpOptions } from './observation/dump-requests.ts';
export type { FlowState } from './observation/flow-state.ts';
