import { orchVocabulary, type UserInfo } from '@ashlar/core';
import { createSteppedClock, type SteppedClock } from '@ashlar/core/testing';
import type { FlowRequest } from './classification/flow-request.ts';
import { FlowControl, type FlowControlOptions, type FlowRejection } from './flow-control.ts';
import type {
  ConfiguredLevel,
  ConfiguredSchema,
  FlowRule,
  LimitedPriority,
  Queuing,
} from './flow-objects.ts';
import type { FlowTicket } from './levels/flow-ticket.ts';

export const userOf = (name: string, ...groups: string[]): UserInfo => ({ name, groups });

/** A list of config maps in the namespace `default`, or what differs from it. */
export const requestOf = (changes: Partial<FlowRequest> = {}): FlowRequest => ({
  ...{ verb: 'list', isResourceRequest: true, path: '/api/v1/namespaces/default/configmaps' },
  ...{
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'configmaps',
    subresource: '',
    namespace: 'default',
    name: '',
  },
  ...changes,
});

/** A rule for everything that anybody requests. */
const everything: FlowRule = {
  subjects: [{ kind: 'Group', group: { name: '*' } }],
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

export const schemaOf = (
  name: string,
  level: string,
  spec: ConfiguredSchema['spec'] = {},
): ConfiguredSchema => ({
  metadata: { name, uid: `schema-${name}` },
  spec: {
    priorityLevelConfiguration: { name: level },
    rules: [everything],
    distinguisherMethod: { type: 'ByUser' },
    ...spec,
  },
});

export const levelOf = (name: string, limited: LimitedPriority): ConfiguredLevel => ({
  metadata: { name, uid: `level-${name}` },
  spec: { type: 'Limited', limited },
});

export const queued = (shares: number, queuing: Queuing = {}): LimitedPriority => ({
  nominalConcurrencyShares: shares,
  limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 8, queueLengthLimit: 50, ...queuing } },
});

/** What is there if nothing else is: one level without seats to spare. */
export const mandatory: FlowControlOptions['mandatory'] = {
  schemas: [schemaOf('catch-all', 'catch-all', { matchingPrecedence: 10_000 })],
  levels: [levelOf('catch-all', { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } })],
};

/** A control with one level of that many seats, for all requests. */
export function controlOf(
  seats: number,
  limited: LimitedPriority,
  changes: Partial<FlowControlOptions> = {},
): { readonly control: FlowControl; readonly clock: SteppedClock } {
  const clock = createSteppedClock(1_000_000);
  const control = new FlowControl({ clock, vocabulary: orchVocabulary, seats, mandatory, ...changes });
  control.configure({ schemas: [schemaOf('all', 'level')], levels: [levelOf('level', limited)] });
  return { control, clock };
}

export const patient = (): { readonly longestWait: number; readonly signal: AbortSignal } => ({
  longestWait: 15_000,
  signal: new AbortController().signal,
});

/** The outcome of a request that does not wait. @throws Error if it does */
export function atOnce(outcome: ReturnType<FlowControl['begin']>): FlowTicket | FlowRejection {
  if (outcome instanceof Promise) throw new Error('the request waits');
  return outcome;
}

/** The ticket of a request that is admitted at once. @throws Error if it is not */
export function admitted(outcome: ReturnType<FlowControl['begin']>): FlowTicket {
  const ticket = atOnce(outcome);
  if (ticket.outcome !== 'admitted') throw new Error(`the request is rejected: ${ticket.reason}`);
  return ticket;
}
