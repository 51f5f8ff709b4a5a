import type { ClientRequest, Requests } from '../connection/connection.ts';
import { callerTrace, withCallerStack } from './caller-trace.ts';
import {
  explainMissingKind,
  explainNotFound,
  isPathNotFound,
  type RequestedPath,
} from './explain-not-found.ts';

/** Requests of one resource, whose errors have the stack of the call and say why a path does not exist. */
export function explainedRequests(requested: RequestedPath): Requests {
  const { connection } = requested;
  const explained = async <R>(send: Promise<R>, trace: Error): Promise<R> => {
    try {
      return await send;
    } catch (error) {
      const explanation = isPathNotFound(error, requested)
        ? await explainNotFound(error, requested)
        : explainMissingKind(error, requested);
      throw withCallerStack(explanation, trace);
    }
  };
  return {
    ambient: connection.ambient,
    value: (request: ClientRequest) => explained(connection.value(request), callerTrace()),
    open: (request: ClientRequest) => explained(connection.open(request), callerTrace()),
  };
}
