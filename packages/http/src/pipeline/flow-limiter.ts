import { andFinally, andThen, type MaybePromise, type ServerResponse } from '@ashlar/core';
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
  readonly #estimates = new ListEstimates();
  readonly #current: Record<RequestKind, number> = { readOnly: 0, mutating: 0 };

  constructor(flowControl: FlowControl) {
    this.#flowControl = flowControl;
  }

  current(kind: RequestKind): number {
    return this.#current[kind];
  }

  /** A watch has its seats until it has begun; other streams have none. */
  run(scope: RequestScope, handle: Handle): MaybePromise<ServerResponse> {
    if (scope.info.verb !== 'watch' && isLongRunning(scope.info)) return handle(scope);
    const estimate = this.#estimates.of(scope.info);
    const admission = this.#flowControl.begin(scope.user, scope.info, scope, estimate);
    return andThen(admission, (admission) => this.#handle(scope, admission, handle));
  }

  #handle(
    scope: RequestScope,
    admission: FlowTicket | FlowRejection,
    handle: Handle,
  ): MaybePromise<ServerResponse> {
    scope.flowClass = admission.flowClass;
    if (admission.outcome === 'rejected') throw tooManyRequests(admission.retryAfterSeconds);
    const kind = requestKind(scope.info.verb);
    this.#current[kind]++;
    scope.seats = admission;
    return andFinally(
      () => {
        if (scope.isTimedOut) throw deadlineExceeded();
        return handle(scope);
      },
      () => {
        this.#current[kind]--;
        admission.release();
        if (scope.collectionSize !== undefined) this.#estimates.note(scope.info, scope.collectionSize);
      },
    );
  }
}
