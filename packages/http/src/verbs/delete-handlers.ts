import { runInSlices, type ServerResponse, StatusError, successStatus } from '@ashlar/core';
import type { DeleteResult, RequestContext } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import { negotiateResponse } from '../encoding/negotiate-response.ts';
import type { Representation } from '../encoding/representation.ts';
import { listResponse, objectResponse, statusResponse } from '../encoding/responses.ts';
import { readDeleteOptions } from '../request/delete-options.ts';
import { requestContext } from '../request/request-context.ts';
import { isTrue } from '../request/request-info.ts';
import { decodeListParameters, listRequest } from '../request/request-parameters.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { deleteUnsafely, unsafeCollection } from './unsafe-deletion.ts';

/** Handles DELETE of one object. */
export async function handleDelete(request: ResourceRequest): Promise<ServerResponse> {
  const { scope, served } = request;
  const representation = negotiateResponse(scope, served, 'object');
  const remove = requireVerb(served, 'delete');
  const options = await readDeleteOptions(request);
  const context = requestContext(request, { dryRun: options.dryRun, options: options.options });
  if (options.isUnsafe) return deleteUnsafely(request, context, representation);
  const markedStatus = options.orphanDependents === false ? 202 : 200;
  const removeIn = async (as: RequestContext): Promise<ServerResponse> => {
    const result = await remove(as, scope.info.name, options.request);
    return deletionResponse(request, result, representation, markedStatus);
  };
  // an object that cannot be shown stays as it is; a status fits any view
  if (representation.isUnfit) await removeIn({ ...context, dryRun: true });
  return removeIn(context);
}

/**
 * Returns the object if it is still there or its kind is always shown, else a status.
 * @param markedStatus code of the response with an object that is still there
 * @throws StatusError 406
 */
async function deletionResponse(
  request: ResourceRequest,
  { record, removed }: DeleteResult,
  representation: Representation,
  markedStatus: number,
): Promise<ServerResponse> {
  const { served } = request;
  if (!removed || served.definition.strategy.returnsDeletedObject)
    return objectResponse(request, record, representation, removed ? 200 : markedStatus);
  const { group, resource: kind } = served.groupResource;
  const object = ObjectRecord.is(record) ? runInSlices(record.decodeSteps(), request.ambient) : record;
  const { name = '', uid = '' } = (await object).metadata;
  return statusResponse(request, 200, successStatus({ name, group, kind, uid }), representation);
}

/** Handles DELETE of a collection. */
export async function handleDeleteCollection(request: ResourceRequest): Promise<ServerResponse> {
  const { scope, served } = request;
  const representation = negotiateResponse(scope, served, 'list');
  const deleteCollection = requireVerb(served, 'deleteCollection');
  const { query } = scope.info;
  // the options are those of a watch, too, if the query asks for one; nothing is watched
  const parameters = decodeListParameters(query, served.vocabulary, isTrue(query.get('watch')));
  served.requireFields(parameters.selected.fields);
  const options = await readDeleteOptions(request);
  const list = listRequest(parameters, served);
  if (options.isUnsafe) throw unsafeCollection(request);
  // the path `/namespaces//pods` lists those of all namespaces, and must not delete them
  if (served.namespaced && scope.info.namespace === '')
    throw StatusError.badRequest('Namespace parameter required.');
  const submitted = { dryRun: options.dryRun, options: options.options };
  const context = requestContext(request, submitted, representation);
  return listResponse(request, await deleteCollection(context, list, options.request), representation);
}
