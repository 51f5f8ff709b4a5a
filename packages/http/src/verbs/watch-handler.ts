import { type ByteSink, fieldSelectorOf, type ServerResponse, StatusError } from '@ashlar/core';
import { parseIncludeObject } from '../encoding/include-object.ts';
import {
  negotiateWatchResponse,
  requireRoutableAccept,
  requireStreamable,
} from '../encoding/negotiate-response.ts';
import { requestContext } from '../request/request-context.ts';
import { isTrue } from '../request/request-info.ts';
import { decodeListParameters, type WatchParameters, watchRequest } from '../request/request-parameters.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { createWatchFrames } from './watch-frames.ts';
import { type StartWatch, streamWatch } from './watch-stream.ts';
import { upgradedWatch } from './watch-upgrade.ts';

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
  const start: StartWatch = (sink) => watch(context, { ...selected, timeoutMilliseconds }, sink);
  const { signal, webSocket } = scope.request;
  const { retirement } = served;
  const options = { ambient, timeoutMilliseconds, signal, retirement, onError: request.onError };
  const body = (sink: ByteSink): void => {
    if (timeoutMilliseconds < 0) sink.end();
    else void streamWatch(sink, start, frames, options);
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
