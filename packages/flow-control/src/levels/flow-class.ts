import type { ConfiguredSchema } from '../flow-objects.ts';
import type { FlowRecorder } from '../observation/flow-recorder.ts';
import type { FlowLevel } from './flow-level.ts';

/** The class of a request: the schema that matches it, and its priority level. */
export interface FlowClass {
  readonly schema: string;
  readonly level: FlowLevel;
  /** What distinguishes the flows of the schema. Undefined: all its requests are one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  /** The headers of responses: the uids of schema and level. None before both are stored. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counts: FlowCounts;
  /** Its flows with requests, and a few without, by name. */
  readonly flows: Map<string, Flow>;
}

/** What was counted of a class; kept while its schema and level exist. */
export interface FlowCounts {
  readonly schema: string;
  readonly level: string;
  executing: number;
  executingSeats: number;
  waiting: number;
  waitingSeats: number;
  /** Whether any request had this class. */
  isUsed: boolean;
  readonly recorder: FlowRecorder | undefined;
}

/** Why a request was rejected. */
export type RejectionReason = 'concurrency-limit' | 'queue-full' | 'time-out' | 'cancelled';

/** Requests that share their turns. */
export interface Flow {
  readonly name: string;
  /** Numbers of the queues that it may use. */
  readonly hand: readonly number[];
  /** Seats that it occupies. */
  seats: number;
  /** Its requests that wait or are handled. */
  requests: number;
}

/** Returns the distinguisher of a schema. */
export function distinguisherOf({ spec }: ConfiguredSchema): FlowClass['distinguisher'] {
  const type = spec?.distinguisherMethod?.type;
  return type === 'ByUser' || type === 'ByNamespace' ? type : undefined;
}

/** Flows without requests that are kept: most have some again soon. */
const KEPT_FLOWS = 256;

/** Returns the flow of a request, which is one request more. */
export function joinFlow(flows: Map<string, Flow>, name: string, handOf: () => readonly number[]): Flow {
  let flow = flows.get(name);
  if (!flow) {
    flow = { name, hand: handOf(), seats: 0, requests: 0 };
    flows.set(name, flow);
  }
  flow.requests++;
  return flow;
}

/** Forgets the flow of a request with its last one, if there are many. */
export function leaveFlow({
  flow,
  flowClass: { flows },
}: {
  readonly flow: Flow;
  readonly flowClass: Pick<FlowClass, 'flows'>;
}): void {
  flow.requests--;
  const isLast = flow.requests === 0 && flows.size > KEPT_FLOWS;
  if (isLast && flows.get(flow.name) === flow) flows.delete(flow.name);
}
