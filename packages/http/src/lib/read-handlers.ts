import { type ServerResponse, StatusError } from '@ashlar/core';
import { negotiateResponse, requireRoutableAccept } from './negotiate-response.ts';
import { parseResourceVersion } from './parse-resource-version.ts';
import { requestContext } from './request-context.ts';
import { parseListParameters } from './request-parameters.ts';
import type { ResourceRequest } from './resource-request.ts';
import { listResponse, objectResponse } from './responses.ts';

const READ = { dryRun: false, fieldManager: '' };

/** GET of one object. */
export async function handleGet({
  scope,
  served,
  ambient,
  authorizer,
}: ResourceRequest): Promise<ServerResponse> {
  const representation = negotiateResponse(scope, served, 'object');
  const { get } = served.storage;
  if (!get) throw StatusError.methodNotSupported(served.groupResource, 'get');
  const resourceVersion = parseResourceVersion(scope.info.query.get('resourceVersion'));
  const request = { name: scope.info.name, ...(resourceVersion !== undefined && { resourceVersion }) };
  const answer = await get(requestContext(scope, served, authorizer, READ), request);
  return objectResponse(scope, served, answer, representation, { now: ambient.clock.now() });
}

/** GET of a collection: its parameters are refused before the form of its answer (semantics A4). */
export async function handleList({
  scope,
  served,
  ambient,
  authorizer,
}: ResourceRequest): Promise<ServerResponse> {
  requireRoutableAccept(scope, served, 'list');
  const { list } = served.storage;
  if (!list) throw StatusError.methodNotSupported(served.groupResource, 'list');
  const request = parseListParameters(scope.info.query, served.vocabulary);
  const representation = negotiateResponse(scope, served, 'list');
  const answer = await list(requestContext(scope, served, authorizer, READ), request);
  return listResponse(scope, served, answer, representation, ambient.clock.now());
}
