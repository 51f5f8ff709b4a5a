import { andThen, type MaybePromise, type ServerResponse, StatusError } from '@ashlar/core';
import { negotiateResponse, requireRoutableAccept } from '../encoding/negotiate-response.ts';
import { listResponse, objectResponse } from '../encoding/responses.ts';
import { parseResourceVersion } from '../request/parse-resource-version.ts';
import { requestContext } from '../request/request-context.ts';
import { isTrue } from '../request/request-info.ts';
import { decodeListParameters, listRequest } from '../request/request-parameters.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';

/** Handles GET of one object. */
export function handleGet(request: ResourceRequest): MaybePromise<ServerResponse> {
  const { scope, served } = request;
  const representation = negotiateResponse(scope, served, 'object');
  if (isTrue(scope.info.query.get('export'))) throw StatusError.badRequest(EXPORT_IS_GONE);
  const get = requireVerb(served, 'get');
  const resourceVersion = served.ignoresVersions
    ? undefined
    : parseResourceVersion(scope.info.query.get('resourceVersion'));
  const result = get(requestContext(request), {
    name: scope.info.name,
    ...(resourceVersion !== undefined && { resourceVersion }),
  });
  return andThen(result, (object) => objectResponse(request, object, representation));
}

const EXPORT_IS_GONE = 'the export parameter, deprecated since v1.14, is no longer supported';

/** Handles GET of a collection: parameters are validated before the response format, fields and versions after it (semantics/status#situations). */
export function handleList(request: ResourceRequest): MaybePromise<ServerResponse> {
  const { scope, served } = request;
  requireRoutableAccept(scope, served, 'list');
  const list = requireVerb(served, 'list');
  const parameters = decodeListParameters(scope.info.query, served.vocabulary);
  const representation = negotiateResponse(scope, served, 'list');
  const listed = list(requestContext(request), listRequest(parameters, served));
  return andThen(listed, (objects) => {
    scope.collectionSize = objects.items.length + (objects.remainingItemCount ?? 0);
    return listResponse(request, objects, representation);
  });
}
