import { type Ambient, type ByteSink, fieldSelectorOf, type ServerResponse, StatusError } from '@ashlar/core';
import type { WatchSink } from '@ashlar/registry';
import type { Retirement } from '../catalog/retirement.ts';
import { parseIncludeObject } from '../encoding/include-object.ts';
import {
  negotiateWatchResponse,
  requireRoutableAccept,
  requireStreamable,
} from '../encoding/negotiate-response.ts';
import { toPublicError } from '../pipeline/error-response.ts';
import { requestContext } from '../request/request-context.ts';
import { isTrue } from '../request/request-info.ts';
import { decodeListParameters, type WatchParameters, watchRequest } from '../request/request-parameters.ts';
import { OrderedFrames } from './ordered-frames.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { SinkCapacity } from './sink-capacity.ts';
import { createWatchFrames, type WatchFrames } from './watch-frames.ts';
import { upgradedWatch } from './watch-upgrade.ts';

/** Maximum bytes buffered for a slow client, beyond those buffered at the end of the initial events, before the watch is closed. */
const MAXIMUM_BUFFERED_BYTES = 4_194_304;

/** Handles GET with `watch`: a stream of events (semantics/list-and-watch#watch). */
export async function handleWatch(request: ResourceRequest): Promise<ServerResponse> {
  const { scope, served, ambient } = request;
  requireRoutableAccept(scope, served, 'watch');
  // without the parameter, as at deprecated paths, the options are those of a list
  const isWatchRequested = isTrue(scope.info.query.get('watch'));
  const decoded = decodeListParameters(scope.info.query, served.vocabulary, isWatchRequested);
  const isBookmarked =
    decoded.sendInitialEvents === true && isTrue(scope.info.query.get('allowWatchBookmarks'));
  // the bookmark that ends the initial events has no form as a table
  const representation = negotiateWatchResponse(scope, served, !isBookmarked);
  const watch = requireVerb(served, 'watch');
  const parameters = watchRequest(decoded, served);
  requireStreamable(scope, served);
  const selected = withName(parameters, scope.info.name);
  const isTable = representation.transform?.as === 'Table';
  const include = isTable ? parseIncludeObject(scope.info.query.get('includeObject')) : 'None';
  const context = requestContext(request);
  const uncounted = createWatchFrames(served, representation, include, ambient);
  const frames = request.watchMetrics?.counted(uncounted, served) ?? uncounted;
  const timeoutMilliseconds = timeoutOf(parameters, request);
  const start = (sink: WatchSink): ReturnType<typeof watch> =>
    watch(context, { ...selected, timeoutMilliseconds }, sink);
  const { signal, webSocket } = scope.request;
  const body = (sink: ByteSink): void => {
    if (timeoutMilliseconds < 0) sink.end();
    else
      void stream(sink, start, frames, {
        ambient,
        timeoutMilliseconds,
        signal,
        retirement: served.retirement,
      });
  };
  if (webSocket) return upgradedWatch(webSocket, served.vocabulary, representation, body);
  return { status: 200, headers: { 'content-type': representation.contentType }, body };
}

/** Adds the name of a single watched object to the field selector (semantics/differences#watch-of-one-object). */
function withName(parameters: WatchParameters, name: string): WatchParameters {
  if (name === '') return parameters;
  const pinned = parameters.fields.exactValue('metadata.name');
  if (pinned === name) return parameters;
  if (pinned !== undefined)
    throw StatusError.badRequest("fieldSelector metadata.name doesn't match requested name");
  const pin = { field: 'metadata.name', operator: '=' as const, value: name };
  return { ...parameters, fields: fieldSelectorOf([...parameters.fields.requirements, pin]) };
}

function timeoutOf(
  { timeoutSeconds }: WatchParameters,
  { ambient: { random, transientRandom = random }, minimumWatchSeconds }: ResourceRequest,
): number {
  if (timeoutSeconds) return timeoutSeconds * 1000;
  const [high = 0, low = 0] = transientRandom.bytes(new Uint8Array(2));
  return minimumWatchSeconds * 1000 * (1 + (high * 256 + low) / 65_536);
}

/** What can end a stream. */
interface StreamOptions {
  readonly ambient: Ambient;
  readonly timeoutMilliseconds: number;
  /** Aborted when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Ends the watch when the resource is no longer served. */
  readonly retirement: Retirement;
}

/** Streams a watch into a response until it times out or fails, or the client disconnects or is too slow. */
async function stream(
  sink: ByteSink,
  start: (sink: WatchSink) => Disposable | Promise<Disposable>,
  frames: WatchFrames,
  { ambient, timeoutMilliseconds, signal, retirement }: StreamOptions,
): Promise<void> {
  const { clock } = ambient;
  let maximumBuffered = Number.POSITIVE_INFINITY;
  let isClosed = false;
  const capacity = new SinkCapacity(sink, clock, () => finish(() => sink.destroy()));
  let watch: Disposable | undefined;
  let retired: Disposable | undefined;
  let sendArrived: (() => void) | undefined;
  const sendNow = (): void => {
    const call = sendArrived;
    sendArrived = undefined;
    call?.();
  };
  const finish = (end: () => void): void => {
    sendNow();
    if (isClosed) return;
    isClosed = true;
    signal.removeEventListener('abort', stop);
    retired?.[Symbol.dispose]();
    timer.clear();
    watch?.[Symbol.dispose]();
    end();
    capacity.close();
  };
  const write = (bytes: Uint8Array): void => {
    if (!isClosed && !sink.write(bytes) && sink.buffered > maximumBuffered) finish(() => sink.destroy());
  };
  const end = (): void => finish(() => sink.end());
  const send = (bytes: Uint8Array | undefined): void => {
    if (bytes) write(bytes);
    else end();
  };
  const fail = (error: unknown): void => {
    write(frames.error(toPublicError(error).status));
    end();
  };
  const overflow = (): void => finish(() => sink.destroy());
  const ordered = new OrderedFrames(frames, { send, fail, overflow, isOpen: () => !isClosed }, ambient);
  const timer = clock.setTimer(timeoutMilliseconds, end);
  sink.onClose(() => finish(() => {}));
  // what has arrived is sent before the end: there may be no later watch that could resume
  const stop = (): void => {
    sendNow();
    const sent = ordered.whenSent();
    if (sent) void sent.then(end);
    else end();
  };
  signal.addEventListener('abort', stop, { once: true });
  retired = retirement.whenRetired(stop);
  if (signal.aborted) stop();
  try {
    const started = await start({
      ...(frames.events && { events: (batch) => send(frames.events?.(batch)) }),
      event: (type, record) => ordered.event(type, record),
      bookmark: (resourceVersion, end) => ordered.bookmark(resourceVersion, end),
      error: (error) => ordered.error(error),
      waitForCapacity: () => ordered.whenSent()?.then(() => capacity.wait()) ?? capacity.wait(),
      ...(sink.beforeFlush && {
        arrived: (call) => {
          sendArrived = call;
          sink.beforeFlush?.(sendNow);
        },
      }),
    });
    if (isClosed) started[Symbol.dispose]();
    else watch = started;
  } catch (error) {
    ordered.error(error);
  }
  maximumBuffered = MAXIMUM_BUFFERED_BYTES + sink.buffered;
}
