import type { LoggedStatus } from '@ashlar/audit';
import type { JsonObject, Status } from '@ashlar/core';

/** What events say of the status of a response: all of a Status, of others only the code. */
export function loggedStatus(code: number, answered: Status | undefined): LoggedStatus {
  if (!answered) return { metadata: {}, code };
  const { kind: _, apiVersion: __, ...status } = answered;
  return { ...(status as unknown as JsonObject), code };
}

/** What events say of a request at which the program has failed. */
export function panicStatus(error: Error): LoggedStatus {
  const message = `APIServer panic'd: ${error.message}`;
  return { metadata: {}, status: 'Failure', message, reason: 'InternalError', code: 500 };
}
