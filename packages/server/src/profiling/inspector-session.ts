import { Session } from 'node:inspector';

/** What the methods that are used answer. */
interface Answers {
  readonly 'Profiler.stop': { readonly profile: TimeRecord };
  readonly 'HeapProfiler.stopSampling': { readonly profile: { readonly head: AllocationNode } };
}

/** A function in a recording. Lines are from 0; -1 where there is none. */
export interface CallFrame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}

/** The calls that were sampled, each with the numbers of those that it made. */
export interface TimeRecord {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: CallFrame;
    readonly hitCount?: number;
    readonly children?: readonly number[];
  }[];
}

/** A call, with the memory that it allocated itself. */
export interface AllocationNode {
  readonly callFrame: CallFrame;
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** A connection of the process to its own inspector. No port is opened. */
export class InspectorSession {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
  }

  /** @throws Error of the inspector */
  post<M extends string>(
    method: M,
    parameters: object = {},
  ): Promise<M extends keyof Answers ? Answers[M] : unknown> {
    return new Promise((resolve, reject) => {
      this.#session.post(method, parameters, (error, answer) => {
        if (error) reject(new Error(`the inspector refused ${method}: ${error.message}`, { cause: error }));
        else resolve(answer as never);
      });
    });
  }

  /** Calls with the events of a trace as they arrive. Resolves when there are no more. */
  collectTrace(add: (events: readonly object[]) => void): Promise<void> {
    this.#session.on('NodeTracing.dataCollected', ({ params }) => add(params.value as readonly object[]));
    return new Promise((resolve) => this.#session.once('NodeTracing.tracingComplete', () => resolve()));
  }

  close(): void {
    this.#session.disconnect();
  }
}
