import type { ConfiguredSchema } from '../flow-objects.ts';
import type { FlowRecorder } from '../observation/flow-recorder.ts';

/** The class of a request: the schema that matches it. */
export interface FlowClass {
  readonly schema: string;
  /** What distinguishes the flows of the schema. Undefined: all its requests are one flow. */
  readonly distinguisher: 'ByUser' | 'ByNamespace' | undefined;
  /** The headers of responses: the uids of schema and level. None before both are stored. */
  readonly headers: Readonly<Record<string, string>>;
  readonly counts: FlowCounts;
  readonly flows: Flows;
}

/** What was counted of a class; kept while its schema and level exist, or it has requests. */
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

/** Requests that share their turns. */
export interface Flow {
  readonly name: string;
  /** Numbers of the queues that it may use. */
  readonly hand: readonly number[];
  /** Seats that it occupies or waits for in a queue. */
  claimed: number;
  /** Its requests that wait or are handled. */
  requests: number;
}

/** Flows without requests that are kept: most have some again soon. */
const KEPT_FLOWS = 1_024;

/** The flows of a class: those with requests, and some without. */
export class Flows {
  /** What the hands of its flows depend on. */
  readonly queues: string;
  readonly #flows = new Map<string, Flow>();
  readonly #handOf: (name: string) => readonly number[];

  constructor(queues: string, handOf: (name: string) => readonly number[]) {
    this.queues = queues;
    this.#handOf = handOf;
  }

  /** Returns a flow, which has one request more. */
  join(name: string): Flow {
    const flow = this.#flows.get(name) ?? this.#add(name);
    flow.requests++;
    return flow;
  }

  leave(flow: Flow): void {
    flow.requests--;
    if (flow.requests === 0 && this.#flows.size > KEPT_FLOWS) this.#flows.delete(flow.name);
  }

  #add(name: string): Flow {
    if (this.#flows.size >= KEPT_FLOWS) this.#forgetIdle();
    const flow: Flow = {
      name,
      hand: this.#handOf(name),
      claimed: 0,
      requests: 0,
    };
    this.#flows.set(name, flow);
    return flow;
  }

  /** Forgets the first one that has no requests, of a few. */
  #forgetIdle(): void {
    let tried = 0;
    for (const [name, { requests }] of this.#flows) {
      if (requests === 0) {
        this.#flows.delete(name);
        return;
      }
      if (++tried === MAXIMUM_TRIED) return;
    }
  }
}

const MAXIMUM_TRIED = 8;

/** Returns the distinguisher of a schema. */
export function distinguisherOf({ spec }: ConfiguredSchema): FlowClass['distinguisher'] {
  const type = spec?.distinguisherMethod?.type;
  return type === 'ByUser' || type === 'ByNamespace' ? type : undefined;
}
