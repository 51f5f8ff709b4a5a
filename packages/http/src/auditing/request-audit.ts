import type { AuditDecision, AuditStage, LoggedStatus } from '@ashlar/audit';
import { toHtmlEntities } from '@ashlar/authz';
import {
  type AuthorizationDecision,
  andThen,
  doneSteps,
  goQuote,
  groupName,
  type MaybePromise,
  runInSlices,
  type ServerResponse,
  type Status,
  type Steps,
  type UserInfo,
} from '@ashlar/core';
import { toPublicError } from '../pipeline/error-response.ts';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import { isLongRunning } from '../request/request-info.ts';
import { annotateLatency } from './annotate-latency.ts';
import type { AuditedRequest, AuditSurroundings } from './audited-request.ts';
import { EventMaker, type LoggedContents } from './event-maker.ts';
import { auditAttributes } from './logged-request.ts';
import { loggedStatus, panicStatus } from './logged-status.ts';
import { RequestContents } from './request-contents.ts';
import { goesOn, whenEnded } from './when-ended.ts';

/** The Status that the caller sees; what has no acceptable format is answered outside of what knows the objects. */
function shownStatus(error: unknown): Status | undefined {
  const { code, status } = toPublicError(error);
  return code === 406 ? undefined : status;
}

const NOBODY: UserInfo = { name: '', groups: [] };

/** Records the events of one request (semantics/requests#audit). */
export class RequestAudit {
  /** The objects of request and response; undefined while it is not known what is recorded, and if nothing is. */
  contents: RequestContents | undefined;
  readonly #of: AuditedRequest;
  readonly #surroundings: AuditSurroundings;
  readonly #maker: EventMaker;
  #decision: AuditDecision | undefined;
  #caller: UserInfo = NOBODY;
  #panic: Error | undefined;
  #isRefused = false;

  constructor(of: AuditedRequest, surroundings: AuditSurroundings) {
    this.#of = of;
    this.#surroundings = surroundings;
    this.#maker = new EventMaker(of, surroundings.ambient.clock);
  }

  /**
   * Decides what is recorded, and records that the request was received.
   * @throws PlainTextError 500 if that cannot be stored and must be
   */
  begin(caller: UserInfo): MaybePromise<void> {
    this.#caller = caller;
    this.#maker.caller = caller;
    this.#decide();
    return andThen(this.#record('RequestReceived'), (isStored) => {
      if (isStored) return;
      this.#isRefused = true;
      this.#surroundings.auditor.rejected();
      const text = `Internal Server Error: ${goQuote(this.#of.request.url)}: failed to store audit event`;
      throw new PlainTextError(500, `${toHtmlEntities(text)}\n`);
    });
  }

  /** Notes for whom the request is handled. */
  actAs(user: UserInfo): void {
    if (user !== this.#caller) this.#maker.impersonated = user;
  }

  /** Notes the decision of the authorizer. */
  authorized({ decision, reason = '', error }: AuthorizationDecision): void {
    const key = groupName(this.#surroundings.ambient.vocabulary, 'authorization.');
    const isAllowed = decision === 'allow';
    if (error && !isAllowed) {
      this.#of.annotate(`${key}/reason`, 'internal error');
      return;
    }
    this.#of.annotate(`${key}/decision`, isAllowed ? 'allow' : 'forbid');
    this.#of.annotate(`${key}/reason`, reason);
  }

  /** Notes that the request has failed. @param isBug whether the program has */
  failed(error: unknown, isBug: boolean): void {
    if (!this.#decision) this.#decide();
    if (isBug && error instanceof Error) this.#panic = error;
    this.contents?.answerStatus(isBug || error instanceof PlainTextError ? undefined : shownStatus(error));
  }

  /** Records how the request is answered, and returns the response when that may be sent. */
  complete(response: ServerResponse): MaybePromise<ServerResponse> {
    const isKnown = this.#caller !== NOBODY;
    if (!this.#decision) this.#decide();
    if (!this.contents || this.#isRefused) return response;
    const status = loggedStatus(response.status, this.contents.status);
    if (this.#panic) return this.#answer(response, 'Panic', panicStatus(this.#panic));
    if (!isKnown) return this.#answer(response, 'ResponseStarted', status);
    const { info, request } = this.#of;
    // what is done is recorded even if the caller does not wait until the response is sent
    const isOngoing = isLongRunning(info) && goesOn(response, request.method);
    const started = isLongRunning(info) ? this.#record('ResponseStarted', status) : true;
    return andThen(started, () => {
      if (!isOngoing) return this.#answer(response, 'ResponseComplete', status);
      return whenEnded(response, request.signal, () => void this.#record('ResponseComplete', status));
    });
  }

  #answer(response: ServerResponse, stage: AuditStage, status: LoggedStatus): MaybePromise<ServerResponse> {
    return andThen(this.#record(stage, status), () => response);
  }

  #decide(): void {
    const { info } = this.#of;
    this.#decision = this.#surroundings.auditor.decide(auditAttributes(info, this.#caller));
    if (this.#decision.level === 'None') return;
    this.contents = new RequestContents(this.#decision, info.isResourceRequest);
  }

  /** @returns whether the event is stored, as far as that matters */
  #record(stage: AuditStage, status?: LoggedStatus): MaybePromise<boolean> {
    if (!this.contents || this.#decision?.omitStages.has(stage)) return true;
    const { ambient } = this.#surroundings;
    const milliseconds = ambient.clock.monotonic() - this.#of.started;
    if (stage === 'ResponseComplete') annotateLatency(this.#of, milliseconds, ambient.vocabulary);
    try {
      const stored = andThen(
        runInSlices(this.#recordSteps(stage, milliseconds, status), ambient),
        (each) => each,
      );
      return stored instanceof Promise ? stored.catch(this.#notRecorded) : stored;
    } catch (error) {
      return this.#notRecorded(error);
    }
  }

  *#recordSteps(
    stage: AuditStage,
    milliseconds: number,
    status: LoggedStatus | undefined,
  ): Steps<MaybePromise<boolean>> {
    const { level = 'None' } = this.#decision ?? {};
    // the first event has no objects: they are not known yet
    const contents = status ? yield* this.#contentsSteps() : {};
    const reference = this.contents?.reference;
    const event = yield* this.#maker.makeSteps({ level, stage, milliseconds, status, contents, reference });
    return yield* this.#surroundings.auditor.recordSteps(event);
  }

  /** An event is recorded even if its objects cannot be. */
  *#contentsSteps(): Steps<LoggedContents> {
    const { auditor, onError } = this.#surroundings;
    try {
      return (yield* this.contents?.steps(auditor.maximumObjectBytes) ?? doneSteps({})) as LoggedContents;
    } catch (error) {
      auditor.incomplete();
      onError(error, this.#of.request);
      return {};
    }
  }

  readonly #notRecorded = (error: unknown): boolean => {
    this.#surroundings.onError(error, this.#of.request);
    return this.#surroundings.auditor.failed();
  };
}
