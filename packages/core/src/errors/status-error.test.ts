import { describe, expect, it } from 'vitest';
import { type FieldError, FieldErrors } from './field-error.ts';
import { StatusError } from './status-error.ts';

const pods = { group: '', resource: 'pods' };
const deployments = { group: 'apps', resource: 'deployments' };
const about = { name: 'x', kind: 'pods' };

describe('StatusError', () => {
  it.each([
    ['unauthorized', StatusError.unauthorized(), 401, 'Unauthorized', 'Unauthorized', undefined],
    [
      'forbidden',
      StatusError.forbidden(pods, 'x', 'no'),
      403,
      'Forbidden',
      'pods "x" is forbidden: no',
      about,
    ],
    [
      'forbidden without a name',
      StatusError.forbidden(deployments, '', 'no'),
      403,
      'Forbidden',
      'deployments.apps is forbidden: no',
      { group: 'apps', kind: 'deployments' },
    ],
    [
      'forbidden without a resource',
      StatusError.forbidden(undefined, '', 'no'),
      403,
      'Forbidden',
      'forbidden: no',
      {},
    ],
    ['notFound', StatusError.notFound(pods, 'x'), 404, 'NotFound', 'pods "x" not found', about],
    [
      'pathNotFound',
      StatusError.pathNotFound(),
      404,
      'NotFound',
      'the server could not find the requested resource',
      {},
    ],
    [
      'alreadyExists',
      StatusError.alreadyExists(pods, 'x'),
      409,
      'AlreadyExists',
      'pods "x" already exists',
      about,
    ],
    [
      'generateNameExhausted',
      StatusError.generateNameExhausted(pods, 'x'),
      409,
      'AlreadyExists',
      'pods "x" already exists, the server was not able to generate a unique name for the object',
      { ...about, retryAfterSeconds: 1 },
    ],
    [
      'conflict',
      StatusError.conflict(pods, 'x', 'why'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods "x": why',
      about,
    ],
    [
      'modified',
      StatusError.modified(pods, 'x'),
      409,
      'Conflict',
      'Operation cannot be fulfilled on pods "x": the object has been modified; please apply your changes to the latest version and try again',
      about,
    ],
    ['expired', StatusError.expired('too old'), 410, 'Expired', 'too old', undefined],
    [
      'unprocessable',
      StatusError.unprocessable(),
      422,
      'Invalid',
      'the server rejected our request due to an error in our request',
      {},
    ],
    ['badRequest', StatusError.badRequest('bad'), 400, 'BadRequest', 'bad', undefined],
    [
      'methodNotSupported',
      StatusError.methodNotSupported(deployments, 'watch'),
      405,
      'MethodNotAllowed',
      'watch is not supported on resources of kind "deployments.apps"',
      { group: 'apps', kind: 'deployments' },
    ],
    [
      'methodNotAllowed',
      StatusError.methodNotAllowed(),
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    ],
    [
      'notAcceptable',
      StatusError.notAcceptable(['a/b', 'c/d']),
      406,
      'NotAcceptable',
      'only the following media types are accepted: a/b, c/d',
      undefined,
    ],
    [
      'unsupportedMediaType',
      StatusError.unsupportedMediaType(['a/b', 'c/d']),
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: a/b, c/d',
      undefined,
    ],
    [
      'requestEntityTooLarge',
      StatusError.requestEntityTooLarge('limit is 3'),
      413,
      'RequestEntityTooLarge',
      'Request entity too large: limit is 3',
      undefined,
    ],
    [
      'tooManyRequests',
      StatusError.tooManyRequests('slow', 3),
      429,
      'TooManyRequests',
      'slow',
      { retryAfterSeconds: 3 },
    ],
    [
      'internalError',
      StatusError.internalError(new Error('boom')),
      500,
      'InternalError',
      'Internal error occurred: boom',
      { causes: [{ message: 'boom' }] },
    ],
    [
      'serverTimeout',
      StatusError.serverTimeout(pods, 'list', 2),
      500,
      'ServerTimeout',
      'The list operation against pods could not be completed at this time, please try again.',
      { name: 'list', kind: 'pods', retryAfterSeconds: 2 },
    ],
    ['timeout', StatusError.timeout('late'), 504, 'Timeout', 'Timeout: late', {}],
    [
      'tooLargeResourceVersion',
      StatusError.tooLargeResourceVersion(9, 5, 1),
      504,
      'Timeout',
      'Timeout: Too large resource version: 9, current: 5',
      {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    ],
    [
      'serviceUnavailable',
      StatusError.serviceUnavailable('down'),
      503,
      'ServiceUnavailable',
      'down',
      undefined,
    ],
    [
      'serviceUnavailable with a time',
      StatusError.serviceUnavailable('down', 5),
      503,
      'ServiceUnavailable',
      'down',
      { retryAfterSeconds: 5 },
    ],
  ])('%s', (_, error, code, reason, message, details) => {
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason,
      ...(details && { details }),
      code,
    });
    expect(error.message).toBe(message);
    expect(error.stack ?? '').not.toContain('\n    at ');
  });

  it('names equal causes once in the message of an invalid object and keeps every cause', () => {
    const twice = FieldErrors.required('spec.a');
    const error = StatusError.invalid('apps', 'Deployment', 'x', [
      twice,
      twice,
      FieldErrors.forbidden('spec.b', 'no'),
    ]);
    expect(error.message).toBe(
      'Deployment.apps "x" is invalid: [spec.a: Required value, spec.b: Forbidden: no]',
    );
    expect(error.details).toEqual({
      name: 'x',
      group: 'apps',
      kind: 'Deployment',
      causes: [
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
        { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.a' },
        { reason: 'FieldValueForbidden', message: 'Forbidden: no', field: 'spec.b' },
      ],
    });
  });

  it('omits brackets around a single cause, and prints an empty name', () => {
    const error = StatusError.invalid('', 'Pod', '', [FieldErrors.required('spec.a')]);
    expect(error.message).toBe('Pod "" is invalid: spec.a: Required value');
  });

  it('lists a hundred read errors', () => {
    const faults = Array.from({ length: 101 }, (_, i) => ({ key: `/pods/${i}`, message: 'bad' }));
    const causes = StatusError.storageReadError(pods, '/pods/', faults).details?.causes ?? [];
    expect(causes).toHaveLength(101);
    expect(causes[0]).toEqual({ reason: 'UnexpectedServerResponse', message: 'bad', field: '/pods/0' });
    expect(causes[100]?.reason).toBe('FieldValueTooMany');
    expect(StatusError.storageReadError(pods, '/pods/', faults.slice(1)).details?.causes).toHaveLength(100);
  });

  it('keeps the metadata of an expired list for its token', () => {
    expect(StatusError.expired('old', { continue: 'abc' }).status.metadata).toEqual({ continue: 'abc' });
  });

  it('converts other errors to a 500 without a reason', () => {
    const cause = new Error('raw');
    const error = StatusError.from(cause);
    expect(error.status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'raw',
      code: 500,
    });
    expect(error.cause).toBe(cause);
    expect(StatusError.from('text').message).toBe('text');
    expect(StatusError.from(error)).toBe(error);
  });

  it('parses what it sends', () => {
    const { status } = StatusError.tooLargeResourceVersion(9, 5, 1);
    expect(StatusError.fromStatus(status).status).toEqual(status);
    expect(StatusError.fromStatus({ metadata: {} }).code).toBe(500);
  });

  it('is recognized by its reason', () => {
    expect(StatusError.is(StatusError.notFound(pods, 'x'), 'NotFound')).toBe(true);
    expect(StatusError.is(StatusError.notFound(pods, 'x'), 'Conflict')).toBe(false);
    expect(StatusError.is(new Error('x'))).toBe(false);
  });
});

describe('errors of many fields', () => {
  const errors = (count: number): FieldError[] =>
    Array.from({ length: count }, (_, i) => FieldErrors.required(`spec.items[${i}]`));

  it('are listed up to a hundred', () => {
    const { message, details } = StatusError.invalid('', 'Pod', 'x', errors(100));
    expect(details?.causes).toHaveLength(100);
    expect(message).toMatch(/spec\.items\[99\]: Required value\]$/);
  });

  it('are truncated beyond a hundred', () => {
    const { message, details } = StatusError.invalid('', 'Pod', 'x', errors(101));
    expect(details?.causes).toHaveLength(101);
    expect(details?.causes?.at(-1)).toEqual({
      reason: 'FieldValueTooMany',
      message: 'too many errors, the list is truncated',
    });
    expect(message).toMatch(/spec\.items\[99\]: Required value, too many errors, the list is truncated\]$/);
  });
});
