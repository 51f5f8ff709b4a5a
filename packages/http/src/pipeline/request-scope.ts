import type { ServedMediaType } from '@ashlar/codec';
import type { RequestWaits, ServerRequest, UserInfo, WaitReason } from '@ashlar/core';
import type { FlowClass } from '@ashlar/flow-control';
import type { RequestAudit } from '../auditing/request-audit.ts';
import { isLongRunning, type RequestInfo } from '../request/request-info.ts';
import type { CostlyRequests } from './costly-requests.ts';
import type { LargeBodies } from './large-bodies.ts';
import { deadlineExceeded } from './request-deadline.ts';
import { WarningRecorder } from './warning-recorder.ts';

/** What a request occupies while it is handled: a slot, or seats. */
export interface Place {
  /** Frees it; later calls have no effect. */
  release(): void;
}

/** The state of one request while it is handled: user, warnings and audit annotations. */
export class RequestScope implements RequestWaits {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  user: UserInfo = NOBODY;
  /** Media types of the resource once it is resolved: errors are encoded in one of them. */
  types: readonly ServedMediaType[] | undefined;
  /** Whether its body is large, so that handling it should pause for other requests. */
  isLarge: boolean = false;
  /** The class by which flow control gives it seats. */
  flowClass: FlowClass | undefined;
  /** How many objects its collection has, once it is listed. */
  collectionSize: number | undefined;
  /** Milliseconds that it may take; undefined while they are not known. */
  deadline: number | undefined;
  /** Records its events, if the server does that. */
  audit: RequestAudit | undefined;
  /** Its place among those that are handled, if it needs one. */
  place: Place | undefined;
  /** Says that what was made of its large body, if it has one, is needed no longer. */
  endBody: (() => void) | undefined;
  /** Whether it has been answered because its deadline has passed: no further work is started for it. */
  isTimedOut = false;
  /** Whether the server refused it or gave it up to protect itself. */
  isTerminated = false;
  /** The release that no longer serves the version of the request; empty if that is unknown. Undefined if it is not deprecated. */
  removedRelease: string | undefined;
  /** Whether its caller is authenticated and authorized. */
  isAuthorized = false;
  /** When it arrived, in milliseconds of the monotonic clock. */
  readonly started: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Measures the work for it. */
  readonly costs: CostlyRequests;
  /** Large bodies that are worked on. */
  readonly largeBodies: LargeBodies;
  #warnings: WarningRecorder | undefined;
  #annotations: Map<string, string> | undefined;
  #waits: Map<WaitReason, number> | undefined;
  #end: AbortController | undefined;

  constructor(
    request: ServerRequest,
    info: RequestInfo,
    {
      auditId,
      started,
      now,
      costs,
      largeBodies,
    }: Pick<RequestScope, 'auditId' | 'started' | 'now' | 'costs' | 'largeBodies'>,
  ) {
    this.request = request;
    this.info = info;
    this.auditId = auditId;
    this.started = started;
    this.now = now;
    this.costs = costs;
    this.largeBodies = largeBodies;
  }

  /** Releases the resources of the request because its deadline has passed. */
  timeOut(): void {
    this.isTimedOut = true;
    this.isTerminated = true;
    this.place?.release();
    this.endBody?.();
    this.#end?.abort(deadlineExceeded());
  }

  /** When it must have been answered, in milliseconds of the monotonic clock; undefined while that is not known, and of streams. */
  get endsAt(): number | undefined {
    return this.deadline === undefined || isLongRunning(this.info) ? undefined : this.started + this.deadline;
  }

  /** How long it may wait for its place, in milliseconds: a quarter of its deadline, but at most a minute. */
  get longestWait(): number {
    return Math.min((this.deadline ?? 0) / 4, LONGEST_WAIT);
  }

  /** Aborted when the caller disconnects. */
  get signal(): AbortSignal {
    return this.request.signal;
  }

  /** A signal that is aborted when the caller disconnects or the deadline passes. */
  endSignal(): AbortSignal {
    if (!this.#end) {
      const end = new AbortController();
      const { signal } = this.request;
      if (signal.aborted) end.abort(signal.reason);
      else signal.addEventListener('abort', () => end.abort(signal.reason), { once: true });
      this.#end = end;
    }
    return this.#end.signal;
  }

  /** Adds a Warning header; each text is sent once. */
  readonly warn = (text: string): void => {
    this.#warnings ??= new WarningRecorder();
    this.#warnings.add(text);
  };

  /** Values of the Warning headers. */
  get warnings(): readonly string[] {
    return this.#warnings?.headers ?? [];
  }

  addWait(reason: WaitReason, milliseconds: number): void {
    this.#waits ??= new Map();
    this.#waits.set(reason, (this.#waits.get(reason) ?? 0) + milliseconds);
  }

  /** How many milliseconds it has waited for whom. */
  get waits(): ReadonlyMap<WaitReason, number> {
    return this.#waits ?? NO_WAITS;
  }

  /** Audit annotations. */
  get annotations(): ReadonlyMap<string, string> {
    return this.#annotations ?? NO_ANNOTATIONS;
  }

  /** Adds an audit annotation; the first value of a key wins. */
  readonly annotate = (key: string, value: string): void => {
    this.#annotations ??= new Map();
    if (!this.#annotations.has(key)) this.#annotations.set(key, value);
  };
}

const LONGEST_WAIT = 60_000;
const NO_WAITS: ReadonlyMap<WaitReason, number> = new Map();
const NO_ANNOTATIONS: ReadonlyMap<string, string> = new Map();
const NOBODY: UserInfo = { name: '', groups: [] };
