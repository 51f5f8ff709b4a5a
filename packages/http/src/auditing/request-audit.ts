import {
  type AuditDecision,
  type AuditStage,
  type JsonPieces,
  type LoggedEvent,
  type LoggedStatus,
  microTime,
} from '@ashlar/audit';
import { toHtmlEntities } from '@ashlar/authz';
import {
  type AuthorizationDecision,
  andThen,
  goQuote,
  groupName,
  type MaybePromise,
  runInSlices,
  type ServerResponse,
  StatusError,
  type Steps,
  type UserInfo,
} from '@ashlar/core';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import { isLongRunning } from '../request/request-info.ts';
import type { AuditedRequest, AuditSurroundings } from './audited-request.ts';
import { auditAttributes, loggedAgent, loggedObject, loggedUser } from './logged-request.ts';
import { loggedStatus, panicStatus } from './logged-status.ts';
import { RequestContents } from './request-contents.ts';
import { sourceAddresses } from './source-addresses.ts';
import { goesOn, whenEnded } from './when-ended.ts';

const NOBODY: UserInfo = { name: '', groups: [] };

/** Records the events of one request (semantics/requests#audit). */
export class RequestAudit {
  /** The objects of request and response; undefined while it is not known what is recorded, and if nothing is. */
  contents: RequestContents | undefined;
  readonly #of: AuditedRequest;
  readonly #surroundings: AuditSurroundings;
  /** When it arrived: milliseconds since 1970, and on the monotonic clock. */
  readonly #received: number;
  readonly #started: number;
  #decision: AuditDecision | undefined;
  #caller: UserInfo = NOBODY;
  #impersonated: UserInfo | undefined;
  #panic: Error | undefined;
  #isRefused = false;

  /** @param started when the request arrived, on the monotonic clock */
  constructor(of: AuditedRequest, surroundings: AuditSurroundings, started: number) {
    const { clock } = surroundings.ambient;
    this.#of = of;
    this.#surroundings = surroundings;
    this.#started = started;
    this.#received = clock.now() - (clock.monotonic() - started);
  }

  /**
   * Decides what is recorded, and records that the request was received.
   * @throws PlainTextError 500 if that cannot be stored and must be
   */
  begin(caller: UserInfo): MaybePromise<void> {
    this.#caller = caller;
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
    if (user !== this.#caller) this.#impersonated = user;
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
    // what has no acceptable format is answered outside of what knows the objects
    const isShown = StatusError.is(error) && error.code !== 406;
    this.contents?.answerStatus(isShown ? error.status : undefined);
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
    const { ambient, auditor } = this.#surroundings;
    const at = ambient.clock.monotonic() - this.#started;
    try {
      const event = andThen(runInSlices(this.#objects(status), ambient), (objects) =>
        auditor.record(this.#event(stage, at, status, objects)),
      );
      return event instanceof Promise ? event.catch(this.#notRecorded) : event;
    } catch (error) {
      return this.#notRecorded(error);
    }
  }

  readonly #notRecorded = (error: unknown): true => {
    this.#surroundings.onError(error, this.#of.request);
    return true;
  };

  /** The first event has no objects: they are not known yet. */
  *#objects(status: LoggedStatus | undefined): Steps<Pick<LoggedEvent, 'requestObject' | 'responseObject'>> {
    if (!status || !this.contents) return {};
    const requestObject: JsonPieces | undefined = yield* this.contents.submittedSteps();
    const responseObject: JsonPieces | undefined = yield* this.contents.answeredSteps();
    return { ...(requestObject && { requestObject }), ...(responseObject && { responseObject }) };
  }

  #event(
    stage: AuditStage,
    milliseconds: number,
    status: LoggedStatus | undefined,
    objects: Pick<LoggedEvent, 'requestObject' | 'responseObject'>,
  ): LoggedEvent {
    const { request, info, auditId, annotations } = this.#of;
    const { level = 'None' } = this.#decision ?? {};
    const sourceIPs = sourceAddresses(request);
    const userAgent = loggedAgent(request);
    const objectRef = loggedObject(info, this.contents?.reference);
    return {
      ...{ level, auditID: auditId, stage, requestURI: request.url, verb: info.verb },
      user: loggedUser(this.#caller),
      ...(this.#impersonated && { impersonatedUser: loggedUser(this.#impersonated) }),
      ...(sourceIPs.length > 0 && { sourceIPs }),
      ...(userAgent !== undefined && { userAgent }),
      ...(objectRef && { objectRef }),
      ...(status && { responseStatus: status }),
      ...objects,
      requestReceivedTimestamp: microTime(this.#received),
      stageTimestamp: microTime(this.#received + milliseconds),
      ...(annotations.size > 0 && { annotations: Object.fromEntries(annotations) }),
    };
  }
}
