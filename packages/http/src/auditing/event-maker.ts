import {
  type AuditDecision,
  type AuditStage,
  type LoggedEvent,
  type LoggedStatus,
  microTime,
} from '@ashlar/audit';
import type { Clock, Steps, UserInfo } from '@ashlar/core';
import type { AuditedRequest } from './audited-request.ts';
import { loggedAgent, loggedObject, loggedUser, type SubmittedReference } from './logged-request.ts';
import { sourceAddresses } from './source-addresses.ts';

/** The objects of an event. */
export type LoggedContents = Pick<LoggedEvent, 'requestObject' | 'responseObject'>;

/** What the events of a request differ in. */
export interface EventParts {
  readonly level: AuditDecision['level'];
  readonly stage: AuditStage;
  /** Milliseconds since the request arrived. */
  readonly milliseconds: number;
  readonly status: LoggedStatus | undefined;
  readonly contents: LoggedContents;
  /** What the submitted object says of the object that the request is for. */
  readonly reference: SubmittedReference | undefined;
}

/** Members that all events of a request have. */
type Origin = Pick<LoggedEvent, 'auditID' | 'requestURI' | 'verb' | 'sourceIPs' | 'userAgent'>;

/** Makes the events of one request. What does not change is made once. */
export class EventMaker {
  readonly #of: AuditedRequest;
  /** When the request arrived, in milliseconds since 1970. */
  readonly #received: number;
  #user: LoggedEvent['user'] = {};
  #impersonated: LoggedEvent['user'] | undefined;
  #origin: Origin | undefined;

  constructor(of: AuditedRequest, clock: Clock) {
    this.#of = of;
    this.#received = clock.now() - (clock.monotonic() - of.started);
  }

  set caller(user: UserInfo) {
    this.#user = loggedUser(user);
  }

  set impersonated(user: UserInfo) {
    this.#impersonated = loggedUser(user);
  }

  *makeSteps({ level, stage, milliseconds, status, contents, reference }: EventParts): Steps<LoggedEvent> {
    this.#origin ??= yield* originOf(this.#of);
    const { info, annotations } = this.#of;
    const { auditID, requestURI, verb, ...origin } = this.#origin;
    const objectRef = loggedObject(info, reference);
    return {
      ...{ level, auditID, stage, requestURI, verb },
      user: this.#user,
      ...(this.#impersonated && { impersonatedUser: this.#impersonated }),
      ...origin,
      ...(objectRef && { objectRef }),
      ...(status && { responseStatus: status }),
      ...contents,
      requestReceivedTimestamp: microTime(this.#received),
      stageTimestamp: microTime(this.#received + milliseconds),
      ...(annotations.size > 0 && { annotations: Object.fromEntries(annotations) }),
    };
  }
}

function* originOf({ request, info, auditId }: AuditedRequest): Steps<Origin> {
  const sourceIPs = yield* sourceAddresses(request);
  const userAgent = loggedAgent(request);
  return {
    ...{ auditID: auditId, requestURI: request.url, verb: info.verb },
    ...(sourceIPs.length > 0 && { sourceIPs }),
    ...(userAgent !== undefined && { userAgent }),
  };
}
