import type { Ambient, ByteSink, ForwardedResponse, HeaderLine, ServerResponse } from '@ashlar/core';
import { type ForwardedRequest, textResponse } from '@ashlar/http';
import { withoutConnectionFields } from './connection-fields.ts';
import { ForwardingPace } from './forwarding-pace.ts';
import { joinConnections } from './join-connections.ts';

/** How a forwarded request ends. */
export interface ForwardingEnd {
  readonly ambient: Pick<Ambient, 'clock' | 'turns'>;
  /** Milliseconds in which the body must be complete; undefined without a limit. */
  readonly timeLeft: number | undefined;
  /** Ends the call to the other server when its response is no longer needed. */
  abort(): void;
  /** Called once when the response is complete or broken off. */
  done(): void;
}

/** The response of the other server as the caller gets it (semantics/discovery#aggregation-in-detail). */
export function answerOf(
  request: ForwardedRequest,
  response: ForwardedResponse,
  origin: URL,
  end: ForwardingEnd,
): ServerResponse {
  if (response.connection) return switched(request, response, response.connection, end);
  if (isRedirect(response)) return discarded(end, redirected);
  if (request.request.upgrade && response.status < 400)
    return discarded(end, textResponse(503, `invalid upgrade response: status code ${response.status}\n`));
  const headers = headersOf(request.auditId, response.headers, origin);
  const { status } = response;
  if (request.request.method === 'HEAD' || status === 204 || status === 304) {
    drain(response, end);
    // a length is that of what GET returns
    return { status, headers, ...(request.request.method === 'HEAD' && { body: (sink) => sink.end() }) };
  }
  return { status, headers, body: (sink) => void pour(response, sink, end) };
}

const isRedirect = ({ status, headers }: ForwardedResponse): boolean =>
  status >= 300 && status <= 399 && headers.some(([name, value]) => name === 'location' && value !== '');

const redirected: ServerResponse = {
  status: 502,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: new TextEncoder().encode('the backend attempted to redirect this request, which is not permitted'),
};

function discarded(end: ForwardingEnd, response: ServerResponse): ServerResponse {
  end.abort();
  end.done();
  return response;
}

/** Header fields of this server that are added to those of the other one. */
const OF_THE_FRONT = (auditId: string): readonly HeaderLine[] => [
  ['audit-id', auditId],
  ['cache-control', 'no-cache, private'],
];
/** Only this server says which pages may call it. */
const ORIGINS = new Set([
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
]);
/** Fields that occur once: a second one would change what the first says. */
const SINGLE = new Set([
  'age',
  'content-encoding',
  'content-length',
  'content-location',
  'content-range',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'location',
  'retry-after',
  'server',
]);

function headersOf(auditId: string, received: readonly HeaderLine[], origin: URL): ServerResponse['headers'] {
  const fields = new Map<string, string | string[]>();
  const forwarded = withoutConnectionFields(received).filter(([name]) => !ORIGINS.has(name));
  for (const [name, value] of [...OF_THE_FRONT(auditId), ...forwarded]) {
    const existing = fields.get(name);
    if (name === 'location') fields.set(name, existing ?? withinServer(value, origin));
    else if (existing === undefined) fields.set(name, value);
    else if (!SINGLE.has(name)) fields.set(name, [...[existing].flat(), value]);
  }
  return Object.fromEntries(fields);
}

/** A location on the other server is one on this server. */
function withinServer(location: string, origin: URL): string {
  if (!URL.canParse(location)) return location;
  const url = new URL(location);
  return url.host === origin.host ? url.pathname + url.search + url.hash : location;
}

function switched(
  { signal }: ForwardedRequest,
  { headers }: ForwardedResponse,
  connection: NonNullable<ForwardedResponse['connection']>,
  end: ForwardingEnd,
): ServerResponse {
  const leave = (): void => connection.destroy();
  if (signal.aborted) leave();
  signal.addEventListener('abort', leave, { once: true });
  connection.onClose(() => {
    signal.removeEventListener('abort', leave);
    end.done();
  });
  const lines = new Map<string, string[]>();
  for (const [name, value] of headers) lines.set(name, [...(lines.get(name) ?? []), value]);
  return {
    status: 101,
    headers: Object.fromEntries(lines),
    switchProtocols: (own) => joinConnections(own, connection, end.ambient),
  };
}

async function drain(response: ForwardedResponse, end: ForwardingEnd): Promise<void> {
  try {
    for await (const _ of response.stream());
  } catch {
    // the header has been answered, which was all
  } finally {
    end.done();
  }
}

/** Writes the body as it arrives, as fast as the caller reads and others leave time. A body that breaks off breaks off for the caller. */
async function pour(response: ForwardedResponse, sink: ByteSink, end: ForwardingEnd): Promise<void> {
  let resume = (): void => {};
  let isOpen = true;
  sink.onClose(() => {
    isOpen = false;
    end.abort();
    resume();
  });
  const { timeLeft, ambient } = end;
  const timer = timeLeft === undefined ? undefined : ambient.clock.setTimer(timeLeft, () => sink.destroy());
  const pace = new ForwardingPace(ambient);
  try {
    for await (const bytes of response.stream()) {
      if (!isOpen) return;
      if (!sink.write(bytes)) {
        await new Promise<void>((resolve) => {
          resume = resolve;
          sink.onDrain(resolve);
        });
      }
      const turn = pace.after(bytes);
      if (turn) await turn;
    }
    sink.end();
  } catch {
    sink.destroy();
  } finally {
    timer?.clear();
    end.done();
  }
}
