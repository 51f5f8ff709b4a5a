import { type ServerResponse, StatusError, successStatus } from '@ashlar/core';
import { readDeleteOptions } from './delete-options.ts';
import { negotiateResponse } from './negotiate-response.ts';
import { objectOf } from './object-encoding.ts';
import { requestContext } from './request-context.ts';
import { parseListParameters } from './request-parameters.ts';
import type { ResourceRequest } from './resource-request.ts';
import { listResponse, objectResponse, statusResponse } from './responses.ts';

/** DELETE of one object. */
export async function handleDelete({
  scope,
  served,
  ambient,
  authorizer,
}: ResourceRequest): Promise<ServerResponse> {
  const representation = negotiateResponse(scope, served, 'object');
  const remove = served.storage.delete;
  if (!remove) throw StatusError.methodNotSupported(served.groupResource, 'delete');
  const options = await readDeleteOptions(scope, served);
  const context = requestContext(scope, served, authorizer, { dryRun: options.dryRun, fieldManager: '' });
  const { record, removed } = await remove(context, scope.info.name, options.request);
  if (!removed || served.definition.strategy.returnsDeletedObject) {
    const status = !removed && options.orphanDependents === false ? 202 : 200;
    return objectResponse(scope, served, record, representation, { status, now: ambient.clock.now() });
  }
  const { group, resource: kind } = served.groupResource;
  const { name = '', uid = '' } = objectOf(record).metadata;
  return statusResponse(200, successStatus({ name, group, kind, uid }), representation);
}

/** DELETE of a collection. */
export async function handleDeleteCollection({
  scope,
  served,
  ambient,
  authorizer,
}: ResourceRequest): Promise<ServerResponse> {
  const representation = negotiateResponse(scope, served, 'list');
  const { deleteCollection } = served.storage;
  if (!deleteCollection) throw StatusError.methodNotSupported(served.groupResource, 'deletecollection');
  const list = parseListParameters(scope.info.query, served.vocabulary);
  const options = await readDeleteOptions(scope, served);
  const context = requestContext(scope, served, authorizer, { dryRun: options.dryRun, fieldManager: '' });
  const answer = await deleteCollection(context, list, options.request);
  return listResponse(scope, served, answer, representation, ambient.clock.now());
}
