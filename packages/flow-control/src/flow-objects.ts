import type { ApiObject } from '@ashlar/core';

/** A caller that a rule matches. */
export interface FlowSubject {
  readonly kind?: string;
  readonly user?: { readonly name?: string };
  readonly group?: { readonly name?: string };
  readonly serviceAccount?: { readonly namespace?: string; readonly name?: string };
}

export interface FlowResourceRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly clusterScope?: boolean;
  readonly namespaces?: readonly string[] | null;
}

export interface FlowPathRule {
  readonly verbs?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

export interface FlowRule {
  readonly subjects?: readonly FlowSubject[] | null;
  readonly resourceRules?: readonly FlowResourceRule[];
  readonly nonResourceRules?: readonly FlowPathRule[];
}

interface FlowStatus {
  readonly conditions?: readonly { readonly type?: string; readonly status?: string }[];
}

/** Classifies requests into flows. */
export interface FlowSchema extends ApiObject {
  readonly spec?: {
    readonly priorityLevelConfiguration?: { readonly name?: string };
    readonly matchingPrecedence?: number;
    readonly distinguisherMethod?: { readonly type?: string };
    readonly rules?: readonly FlowRule[];
  };
  readonly status?: FlowStatus;
}

export interface Queuing {
  readonly queues?: number;
  readonly handSize?: number;
  readonly queueLengthLimit?: number;
}

export interface LimitedPriority {
  readonly nominalConcurrencyShares?: number;
  readonly lendablePercent?: number;
  readonly borrowingLimitPercent?: number;
  readonly limitResponse?: { readonly type?: string; readonly queuing?: Queuing };
}

/** Concurrency limits of a priority. */
export interface PriorityLevel extends ApiObject {
  readonly spec?: {
    readonly type?: string;
    readonly limited?: LimitedPriority;
    readonly exempt?: { readonly nominalConcurrencyShares?: number; readonly lendablePercent?: number };
  };
  readonly status?: FlowStatus;
}

/** What of a schema configures flow control. */
export type ConfiguredSchema = Pick<FlowSchema, 'metadata' | 'spec'>;

/** What of a priority level configures flow control. */
export type ConfiguredLevel = Pick<PriorityLevel, 'metadata' | 'spec'>;
