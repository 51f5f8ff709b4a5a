import { type Ambient, andFinally, type MaybePromise, pause, type ServerResponse } from '@ashlar/core';
import type { FlowControl, FlowRejection, FlowTicket } from '@ashlar/flow-control';
import { isLongRunning } from '../request/request-info.ts';
import { type ConcurrencyLimiter, type RequestKind, requestKind } from './concurrency-limiter.ts';
import { ListEstimates } from './list-estimates.ts';
import { deadlineExceeded } from './request-deadline.ts';
import type { RequestScope } from './request-scope.ts';
import { tooManyRequests } from './too-many-requests.ts';

type Handle = (scope: RequestScope) => MaybePromise<ServerResponse>;

/** Gives requests the seats of their class (semantics/requests#priority-and-fairness). */
export class FlowLimiter implements ConcurrencyLimiter {
  readonly #flowControl: FlowControl;
  readonly #ambient: Pick<Ambient, 'clock' | 'turns'>;
  readonly #estimates = new ListEstimates();
  readonly #current: Record<RequestKind, number> = { readOnly: 0, mutating: 0 };
  readonly #waiting: Record<RequestKind, number> = { readOnly: 0, mutating: 0 };

  constructor(flowControl: FlowControl, ambient: Pick<Ambient, 'clock' | 'turns'>) {
    this.#flowControl = flowControl;
    this.#ambient = ambient;
  }

  current(kind: RequestKind): number {
    return this.#current[kind];
  }

  waiting(kind: RequestKind): number {
    return this.#waiting[kind];
  }

  /** A watch has its seats until it has begun; other streams have none. */
  run(scope: RequestScope, handle: Handle): MaybePromise<ServerResponse> {
    if (scope.info.verb !== 'watch' && isLongRunning(scope.info)) return handle(scope);
    const estimate = this.#estimates.of(scope.info);
    const admission = this.#flowControl.begin(scope.user, scope.info, scope, estimate);
    return admission instanceof Promise
      ? this.#handleLater(scope, admission, handle)
      : this.#handle(scope, admission, handle);
  }

  /** What has waited is handled in a turn of its own: one that ends would otherwise begin the next one, without an end. */
  async #handleLater(
    scope: RequestScope,
    waiting: Promise<FlowTicket | FlowRejection>,
    handle: Handle,
  ): Promise<ServerResponse> {
    const admission = await this.#whileWaiting(scope, waiting);
    if (admission.outcome === 'admitted') await pause(this.#ambient);
    return this.#handle(scope, admission, handle);
  }

  async #whileWaiting<T>(scope: RequestScope, waiting: Promise<T>): Promise<T> {
    const { clock } = this.#ambient;
    const kind = requestKind(scope.info.verb);
    const began = clock.monotonic();
    this.#waiting[kind]++;
    try {
      return await waiting;
    } finally {
      this.#waiting[kind]--;
      scope.addWait('queue', clock.monotonic() - began);
    }
  }

  #handle(
    scope: RequestScope,
    admission: FlowTicket | FlowRejection,
    handle: Handle,
  ): MaybePromise<ServerResponse> {
    scope.flowClass = admission.flowClass;
    if (admission.outcome === 'rejected') throw tooManyRequests(scope, admission.retryAfterSeconds);
    const kind = requestKind(scope.info.verb);
    this.#current[kind]++;
    scope.place = admission;
    return andFinally(
      () => {
        if (scope.isTimedOut) throw deadlineExceeded();
        return handle(scope);
      },
      () => {
        this.#current[kind]--;
        admission.release();
        this.#estimates.note(scope.info, scope.collectionSize);
      },
    );
  }
}
