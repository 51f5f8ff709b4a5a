import type { ListedResource } from '@ashlar/client';
import { type ApiObject, actualValueText, checkOptionNames, printFieldValue } from '@ashlar/core';

/** Which object is waited for, and how long. */
export interface WaitOptions {
  /** Only the object of this name. Default: any object. */
  readonly name?: string;
  /** Real time after which it fails. Default 2,000. */
  readonly timeoutMilliseconds?: number;
}

/**
 * Waits until an object of a resource is as wanted, now or after changes, and returns it.
 * @throws Error if no object is, with the last state of those that were seen
 * @example
 * const pod = await waitFor(pods, ({ status }) => status?.phase === 'Running', { name: 'a' });
 */
export async function waitFor<T extends ApiObject>(
  resource: ListedResource<T>,
  predicate: (object: T) => boolean,
  options: WaitOptions = {},
): Promise<T> {
  checkCall(resource, predicate);
  checkOptionNames('waitFor', options, ['name', 'timeoutMilliseconds']);
  const { name, timeoutMilliseconds = 2000 } = options;
  const lastStates = new Map<string, T | undefined>();
  const failure = failureAtCall();
  const timeout = new AbortController();
  const timer = setTimeout(
    () => timeout.abort(failure(failureText(name, timeoutMilliseconds, lastStates))),
    timeoutMilliseconds,
  );
  try {
    for await (const { type, object } of resource.watch({ signal: timeout.signal })) {
      if (name !== undefined && object.metadata.name !== name) continue;
      const isDeleted = type === 'DELETED';
      lastStates.set(
        `${object.metadata.namespace ?? ''}/${object.metadata.name}`,
        isDeleted ? undefined : object,
      );
      if (!isDeleted && predicate(object)) return object;
    }
    throw new Error('the watch has ended');
  } finally {
    clearTimeout(timer);
  }
}

/** Makes an error whose stack begins where `waitFor` was called, so that a test runner shows that line and not a timer. */
function failureAtCall(): (message: string) => Error {
  const error = new Error('called here');
  Error.captureStackTrace?.(error, waitFor);
  const frames = (error.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '));
  return (message) => {
    error.message = message;
    error.stack = [`${error.name}: ${message}`, ...frames].join('\n');
    return error;
  };
}

/** @throws TypeError */
function checkCall(resource: unknown, predicate: unknown): void {
  if (typeof (resource as { watch?: unknown } | null | undefined)?.watch !== 'function')
    throw new TypeError(`waitFor takes a resource of a client first, not ${actualValueText(resource)}`);
  if (typeof predicate !== 'function')
    throw new TypeError(
      `waitFor takes a function that says whether an object is as wanted, not ${actualValueText(predicate)}`,
    );
}

/** Most objects that a message shows. */
const SHOWN = 3;

function failureText(
  name: string | undefined,
  milliseconds: number,
  lastStates: ReadonlyMap<string, ApiObject | undefined>,
): string {
  const subject = name === undefined ? 'no object' : `object "${name}"`;
  const lines = [...lastStates]
    .slice(-SHOWN)
    .map(([key, object]) => `${key}: ${object ? shown(object) : 'deleted'}`);
  const last = lines.length === 0 ? 'none was seen' : `the last state is\n${lines.join('\n')}`;
  return `${subject} ${name === undefined ? 'was' : 'was not'} as wanted within ${milliseconds} ms, ${last}`;
}

function shown({ metadata: { managedFields: _, ...metadata }, ...rest }: ApiObject): string {
  return JSON.stringify({ ...rest, metadata }, undefined, 2) ?? printFieldValue(rest);
}
