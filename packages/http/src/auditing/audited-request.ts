import type { Auditor } from '@ashlar/audit';
import type { Ambient, ServerRequest, WaitReason } from '@ashlar/core';
import type { RequestInfo } from '../request/request-info.ts';

/** What is known of a request whose events are recorded. */
export interface AuditedRequest {
  readonly request: ServerRequest;
  readonly info: RequestInfo;
  readonly auditId: string;
  /** When it arrived, in milliseconds of the monotonic clock. */
  readonly started: number;
  /** How many milliseconds it has waited for whom. */
  readonly waits: ReadonlyMap<WaitReason, number>;
  /** What parts of the server say about it. */
  readonly annotations: ReadonlyMap<string, string>;
  /** Adds an annotation; the first value of a key wins. */
  annotate(key: string, value: string): void;
}

/** What recording the events of a request needs of the server. */
export interface AuditSurroundings {
  readonly auditor: Auditor;
  readonly ambient: Ambient;
  /** Called with errors of recording. */
  readonly onError: (error: unknown, request: ServerRequest) => void;
}
