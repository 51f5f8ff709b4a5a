import type { JsonObject } from '@ashlar/core';
import type { AuditLevel, AuditStage } from './audit-level.ts';

/** A JSON value as it is written, on one line, in pieces: objects of requests may be large. */
export type JsonPieces = readonly Uint8Array[];

/** A user as events name it; members that are empty are absent. */
export interface LoggedUser {
  readonly username?: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The object that a request is for; members that are empty are absent. */
export interface LoggedObject {
  readonly resource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly apiGroup?: string;
  readonly apiVersion?: string;
  readonly resourceVersion?: string;
  readonly subresource?: string;
}

/** The Status of a response without its kind; of other responses only the code. */
export type LoggedStatus = JsonObject & { readonly code?: number };

/** One stage of a request as audit logs have it: `Event` of the group `audit` of the vocabulary, version `v1` (semantics/requests#audit). */
export interface LoggedEvent {
  readonly level: AuditLevel;
  readonly auditID: string;
  readonly stage: AuditStage;
  /** Path and query as they were asked for. */
  readonly requestURI: string;
  readonly verb: string;
  /** The caller, not whom he impersonates. */
  readonly user: LoggedUser;
  readonly impersonatedUser?: LoggedUser;
  readonly sourceIPs?: readonly string[];
  readonly userAgent?: string;
  /** Absent for requests that are not for a resource. */
  readonly objectRef?: LoggedObject;
  readonly responseStatus?: LoggedStatus;
  readonly requestObject?: JsonPieces;
  readonly responseObject?: JsonPieces;
  /** RFC 3339 with microseconds. */
  readonly requestReceivedTimestamp: string;
  readonly stageTimestamp: string;
  readonly annotations?: Readonly<Record<string, string>>;
}
