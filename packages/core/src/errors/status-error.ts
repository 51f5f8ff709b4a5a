import type { ListMeta } from '../objects/api-object.ts';
import { type GroupResource, groupKindText, groupResourceText } from '../objects/group-version.ts';
import {
  type Failure,
  failureStatus,
  type Status,
  type StatusDetails,
  type StatusReason,
} from '../objects/status.ts';
import { goQuote } from '../text/go-text.ts';
import { hasClassCode } from './coded-error.ts';
import { errorMessage } from './error-message.ts';
import type { FieldError } from './field-error.ts';
import { fieldErrorText, MAXIMUM_FIELD_ERRORS } from './field-error.ts';
import { joinedTexts } from './joined-messages.ts';

/** Maximum number of causes that a read failure lists. */
const MAXIMUM_READ_FAULTS = 100;

/** Stands for the causes that are not listed. */
const MORE = { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' };

/**
 * The error of the API path: `message` is for the caller, `cause` for the log. It has no stack, because 401,
 * 403, 404 and 409 are everyday responses. Texts and details are those of semantics/status#reasons,
 * #situations.
 *
 * As in a Status, `code` is the HTTP status; `errorCode` corresponds to the `code` of other errors.
 *
 * @example
 * const error = StatusError.notFound({ group: '', resource: 'pods' }, 'x');
 * error.message; // pods "x" not found
 * error.status.code; // 404
 */
export class StatusError extends Error {
  /** What `is` recognises, also in an error that another copy of this package made. */
  static readonly code: string = 'ERR_STATUS';
  override readonly name: string = 'StatusError';
  readonly code: number;
  readonly reason: StatusReason;
  readonly details: StatusDetails | undefined;
  readonly metadata: ListMeta | undefined;

  constructor(failure: Failure, cause?: unknown) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(failure.message, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = limit;
    this.code = failure.code;
    this.reason = failure.reason;
    this.details = failure.details;
    this.metadata = failure.metadata;
  }

  /** `ERR_STATUS`. */
  get errorCode(): string {
    return StatusError.code;
  }

  /** The same as `code`, under the name by which Fastify and Express answer with it when a route throws the error. */
  get statusCode(): number {
    return this.code;
  }

  /** The Status object that is sent. */
  get status(): Status {
    const { code, reason, message, details, metadata } = this;
    return failureStatus({
      code,
      reason,
      message,
      ...(details && { details }),
      ...(metadata && { metadata }),
    });
  }

  /** Whether an error is a StatusError, with the given reason if one is given. */
  static is(error: unknown, reason?: StatusReason): error is StatusError {
    return (
      hasClassCode(error, StatusError.code) &&
      (reason === undefined || (error as StatusError).reason === reason)
    );
  }

  /** Returns a StatusError unchanged; any other error becomes a 500 without a reason, with its message. */
  static from(error: unknown): StatusError {
    if (StatusError.is(error)) return error;
    const message = errorMessage(error);
    return new StatusError({ code: 500, reason: '', message }, error);
  }

  /** Returns the error that a Status received from another server describes. */
  static fromStatus(
    status: Pick<Status, 'code' | 'reason' | 'message' | 'details' | 'metadata'>,
  ): StatusError {
    return new StatusError({
      code: status.code ?? 500,
      reason: status.reason ?? '',
      message: status.message ?? '',
      ...(status.details && { details: status.details }),
      ...(status.metadata && { metadata: status.metadata }),
    });
  }

  static unauthorized(): StatusError {
    return new StatusError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' });
  }

  /**
   * `GR "name" is forbidden: reason`, `GR is forbidden: reason` without a name, `forbidden: reason` without a
   * resource.
   */
  static forbidden(resource: GroupResource | undefined, name: string, why: string): StatusError {
    if (!resource)
      return new StatusError({ code: 403, reason: 'Forbidden', message: `forbidden: ${why}`, details: {} });
    const text = groupResourceText(resource);
    const message =
      name === '' ? `${text} is forbidden: ${why}` : `${text} ${goQuote(name)} is forbidden: ${why}`;
    return new StatusError({ code: 403, reason: 'Forbidden', message, details: about(resource, name) });
  }

  static notFound(resource: GroupResource, name: string): StatusError {
    const message = `${groupResourceText(resource)} ${goQuote(name)} not found`;
    return new StatusError({ code: 404, reason: 'NotFound', message, details: about(resource, name) });
  }

  /** A path of a built-in group and version that does not exist. */
  static pathNotFound(): StatusError {
    const message = 'the server could not find the requested resource';
    return new StatusError({ code: 404, reason: 'NotFound', message, details: {} });
  }

  static alreadyExists(resource: GroupResource, name: string): StatusError {
    const message = `${groupResourceText(resource)} ${goQuote(name)} already exists`;
    return new StatusError({ code: 409, reason: 'AlreadyExists', message, details: about(resource, name) });
  }

  /** Every generated name exists already. */
  static generateNameExhausted(resource: GroupResource, name: string): StatusError {
    const message = `${groupResourceText(resource)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
    return new StatusError({
      code: 409,
      reason: 'AlreadyExists',
      message,
      details: { ...about(resource, name), retryAfterSeconds: 1 },
    });
  }

  /** `Operation cannot be fulfilled on GR "name": reason`. */
  static conflict(resource: GroupResource, name: string, why: string): StatusError {
    const message = `Operation cannot be fulfilled on ${groupResourceText(resource)} ${goQuote(name)}: ${why}`;
    return new StatusError({ code: 409, reason: 'Conflict', message, details: about(resource, name) });
  }

  /** The object changed since the caller read it. */
  static modified(resource: GroupResource, name: string): StatusError {
    return StatusError.conflict(
      resource,
      name,
      'the object has been modified; please apply your changes to the latest version and try again',
    );
  }

  static expired(message: string, metadata?: ListMeta): StatusError {
    return new StatusError({ code: 410, reason: 'Expired', message, ...(metadata && { metadata }) });
  }

  /**
   * `Kind.group "name" is invalid: …`; equal causes are named once in the message, `causes` keeps every
   * error. After the first hundred both say that there are more.
   * @param kind the Kind, or the plural where semantics/status names it so
   */
  static invalid(group: string, kind: string, name: string, errors: readonly FieldError[]): StatusError {
    const listed = errors.length > MAXIMUM_FIELD_ERRORS ? errors.slice(0, MAXIMUM_FIELD_ERRORS) : errors;
    const more = listed === errors ? [] : [MORE];
    const list = joinedTexts([...listed.map(fieldErrorText), ...more.map(({ message: text }) => text)]);
    const message = `${groupKindText({ group, kind })} ${goQuote(name)} is invalid: ${list}`;
    const causes = [
      ...listed.map(({ reason, field, message: text }) => ({ reason, message: text, field })),
      ...more,
    ];
    return new StatusError({ code: 422, reason: 'Invalid', message, details: { name, group, kind, causes } });
  }

  /** A patch that cannot be applied; its cause is not shown (semantics/patches#errors). */
  static unprocessable(cause?: unknown): StatusError {
    const message = 'the server rejected our request due to an error in our request';
    return new StatusError({ code: 422, reason: 'Invalid', message, details: {} }, cause);
  }

  static badRequest(message: string, cause?: unknown): StatusError {
    return new StatusError({ code: 400, reason: 'BadRequest', message }, cause);
  }

  /** The storage of a resource does not support the verb. */
  static methodNotSupported(resource: GroupResource, verb: string): StatusError {
    const message = `${verb} is not supported on resources of kind ${goQuote(groupResourceText(resource))}`;
    return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: about(resource, '') });
  }

  /** The path exists, but does not accept the method. */
  static methodNotAllowed(): StatusError {
    const message = 'the server does not allow this method on the requested resource';
    return new StatusError({ code: 405, reason: 'MethodNotAllowed', message, details: {} });
  }

  static notAcceptable(mediaTypes: readonly string[]): StatusError {
    const message = `only the following media types are accepted: ${mediaTypes.join(', ')}`;
    return new StatusError({ code: 406, reason: 'NotAcceptable', message });
  }

  static unsupportedMediaType(mediaTypes: readonly string[]): StatusError {
    const message = `the body of the request was in an unknown format - accepted media types include: ${mediaTypes.join(', ')}`;
    return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message });
  }

  static requestEntityTooLarge(text: string): StatusError {
    return new StatusError({
      code: 413,
      reason: 'RequestEntityTooLarge',
      message: `Request entity too large: ${text}`,
    });
  }

  static tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
    return new StatusError({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } });
  }

  /** `Internal error occurred: …`, the cause named in `details.causes`. */
  static internalError(error: unknown): StatusError {
    const text = errorMessage(error);
    const details = { causes: [{ message: text }] };
    return new StatusError(
      { code: 500, reason: 'InternalError', message: `Internal error occurred: ${text}`, details },
      error,
    );
  }

  /** An operation that the server gave up on; `details.name` is the operation. */
  static serverTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
    const message = `The ${operation} operation against ${groupResourceText(resource)} could not be completed at this time, please try again.`;
    const details = { ...about(resource, operation), retryAfterSeconds };
    return new StatusError({ code: 500, reason: 'ServerTimeout', message, details });
  }

  /**
   * Stored objects that cannot be read.
   * @param keyPrefix where they are stored
   * @param unreadable by key; after the first hundred, one cause says that there are more
   */
  static storageReadError(
    resource: GroupResource,
    keyPrefix: string,
    unreadable: readonly { readonly key: string; readonly message: string }[],
  ): StatusError {
    const named = unreadable.slice(0, MAXIMUM_READ_FAULTS).map(({ key, message }) => ({
      reason: 'UnexpectedServerResponse',
      message,
      field: key,
    }));
    const more = unreadable.length > MAXIMUM_READ_FAULTS ? [MORE] : [];
    const message = `failed to read one or more ${groupResourceText(resource)} from the storage`;
    const details = { ...about(resource, keyPrefix), causes: [...named, ...more] };
    return new StatusError({ code: 500, reason: 'StorageReadError', message, details });
  }

  static timeout(text: string, details: StatusDetails = {}): StatusError {
    return new StatusError({ code: 504, reason: 'Timeout', message: `Timeout: ${text}`, details });
  }

  /** A revision that the store has not reached (semantics/status#situations). */
  static tooLargeResourceVersion(requested: number, current: number, retryAfterSeconds: number): StatusError {
    const text = 'Too large resource version';
    return StatusError.timeout(`${text}: ${requested}, current: ${current}`, {
      causes: [{ reason: 'ResourceVersionTooLarge', message: text }],
      retryAfterSeconds,
    });
  }

  static serviceUnavailable(message: string, retryAfterSeconds?: number): StatusError {
    return new StatusError({
      code: 503,
      reason: 'ServiceUnavailable',
      message,
      ...(retryAfterSeconds && { details: { retryAfterSeconds } }),
    });
  }
}

const about = ({ group, resource }: GroupResource, name: string): StatusDetails => ({
  name,
  group,
  kind: resource,
});
