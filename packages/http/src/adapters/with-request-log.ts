import type { Clock, Handler, ServerRequest, ServerResponse } from '@ashlar/core';
import { goesOn, whenEnded } from '../auditing/when-ended.ts';

/** What is logged of a request that was answered. */
export interface LoggedRequest {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly url: string;
  readonly status: number;
  /** From its arrival to its response; of a stream, such as a watch, to its end. */
  readonly milliseconds: number;
  readonly auditId: string;
  readonly userAgent: string;
  /** The IP address of the caller, if it is known. */
  readonly remoteAddress: string | undefined;
}

/**
 * Reports each request that a handler answers.
 * @param log called with each request when its response is made, and with a stream when it ends
 * @returns the handler that reports
 *
 * @example
 * await listen(withRequestLog(server.handler, clock, ({ method, url, status }) => console.log(method, url, status)));
 */
export function withRequestLog(
  handler: Handler,
  clock: Pick<Clock, 'monotonic'>,
  log: (request: LoggedRequest) => void,
): Handler {
  return (request) => {
    const started = clock.monotonic();
    const response = handler(request);
    return response instanceof Promise
      ? response.then((answered) => logged(answered, request, started))
      : logged(response, request, started);
  };

  function logged(response: ServerResponse, request: ServerRequest, started: number): ServerResponse {
    const report = (): void => log(loggedRequest(request, response, clock.monotonic() - started));
    if (goesOn(response, request.method)) return whenEnded(response, request.signal, report);
    report();
    return response;
  }
}

function loggedRequest(
  { method, url, headers, connection }: ServerRequest,
  response: ServerResponse,
  milliseconds: number,
): LoggedRequest {
  const [auditId = ''] = [response.headers['audit-id'] ?? []].flat();
  const userAgent = headers.get('user-agent') ?? '';
  const { remoteAddress } = connection;
  return { method, url, status: response.status, milliseconds, auditId, userAgent, remoteAddress };
}
