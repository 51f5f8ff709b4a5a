import type { ListMeta } from './api-object.ts';

/** Reasons of a failure (semantics/status#reasons). The empty string is an error without a reason. */
export type StatusReason =
  | ''
  | 'Unauthorized'
  | 'Forbidden'
  | 'NotFound'
  | 'AlreadyExists'
  | 'Conflict'
  | 'Gone'
  | 'Expired'
  | 'Invalid'
  | 'BadRequest'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'UnsupportedMediaType'
  | 'RequestEntityTooLarge'
  | 'TooManyRequests'
  | 'InternalError'
  | 'ServerTimeout'
  | 'StorageReadError'
  | 'Timeout'
  | 'ServiceUnavailable'
  | (string & {});

/** One cause; `message` is the text of a field error without its path. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** What a failure concerns. An empty one is printed as `{}`. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  /** The plural resource, or the Kind for `Invalid` (semantics/status#shape). */
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** The response to a request that returns no object (semantics/status#shape). */
export interface Status {
  readonly kind: 'Status';
  readonly apiVersion: 'v1';
  readonly metadata: ListMeta;
  readonly status: 'Success' | 'Failure';
  readonly message?: string;
  readonly reason?: StatusReason;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** The fields that differ between failures. */
export interface Failure {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: ListMeta;
}

/**
 * A failure as the Status object that is sent; empty fields are omitted, keys in the order of
 * semantics/status#shape.
 */
export function failureStatus({ code, reason, message, details, metadata = {} }: Failure): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata,
    status: 'Failure',
    ...(message !== '' && { message }),
    ...(reason !== '' && { reason }),
    ...(details && { details: presentDetails(details) }),
    code,
  };
}

/** A success as the Status object that is sent (semantics/verbs#delete). */
export function successStatus(details: StatusDetails, code?: number): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: presentDetails(details),
    ...(code && { code }),
  };
}

/** One member after the other: the engine gives an object that is spread and then gets further members a hidden class of its own. */
function presentDetails({ name, group, kind, uid, causes, retryAfterSeconds }: StatusDetails): StatusDetails {
  const present: { -readonly [K in keyof StatusDetails]: StatusDetails[K] } = {};
  if (name) present.name = name;
  if (group) present.group = group;
  if (kind) present.kind = kind;
  if (uid) present.uid = uid;
  if (causes && causes.length > 0) present.causes = causes;
  if (retryAfterSeconds) present.retryAfterSeconds = retryAfterSeconds;
  return present;
}
