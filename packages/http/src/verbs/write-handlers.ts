import { type ApiObject, pause, runInSlices, type ServerResponse, StatusError } from '@ashlar/core';
import { withCanonicalMetadata } from '@ashlar/registry';
import type { BodyFormat } from '../catalog/resource-media-types.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { negotiateResponse } from '../encoding/negotiate-response.ts';
import { objectResponse } from '../encoding/responses.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { decodeObjectSteps, readBody } from '../request/request-body.ts';
import { requestContext } from '../request/request-context.ts';
import { parseWriteParameters, type WriteParameters } from '../request/request-parameters.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';

/** Handles POST to a collection. */
export async function handleCreate(request: ResourceRequest): Promise<ServerResponse> {
  const { scope, served } = request;
  const representation = negotiateResponse(scope, served, 'object');
  const create = requireVerb(served, 'create');
  const { object, parameters } = await readObject(request, 'CreateOptions');
  requireNamespace(scope, served, object);
  const result = await create(requestContext(request, parameters, representation), object);
  return objectResponse(request, result, representation, 201);
}

/** Handles PUT of one object. */
export async function handleUpdate(request: ResourceRequest): Promise<ServerResponse> {
  const { scope, served, subresource } = request;
  const representation = negotiateResponse(scope, served, 'object');
  const update = requireVerb(served, 'update');
  const { object: submitted, parameters } = await readObject(request, 'UpdateOptions');
  const object = inNamespace(scope, served, submitted);
  requireName(scope.info.name, object);
  const { uid } = object.metadata;
  const { answer, created } = await update(requestContext(request, parameters, representation), {
    name: scope.info.name,
    createsAbsent: 'if-allowed',
    update: () => object,
    isBounded: true,
    ...(subresource && { subresource: subresource.name }),
    ...(uid && { uid }),
  });
  return objectResponse(request, answer, representation, created ? 201 : 200);
}

/** A decoded request body and the parameters of its write. */
export interface SubmittedObject {
  readonly object: ApiObject;
  readonly parameters: WriteParameters;
}

/** Reads content type, body and parameters, and decodes the body, in the order in which their errors are reported (semantics/status#situations). */
export async function readObject(
  { scope, served, ambient }: ResourceRequest,
  options: 'CreateOptions' | 'UpdateOptions',
): Promise<SubmittedObject> {
  const bodyFormat = (): BodyFormat =>
    served.mediaTypes.bodyFormat(scope.request.headers.get('content-type'));
  // an update has its parameters checked first
  const early = options === 'CreateOptions' ? bodyFormat() : undefined;
  const bytes = await readBody(scope, ambient);
  const parameters = parseWriteParameters(scope.info.query, served.vocabulary, options);
  const format = early ?? bodyFormat();
  const { fieldValidation } = parameters;
  const decode = decodeObjectSteps(served, bytes, format, { fieldValidation, warn: scope.warn });
  const decoded = runInSlices(decode, ambient);
  const object = decoded instanceof Promise ? await decoded : decoded;
  scope.audit?.contents?.submitObject(object);
  if (scope.isLarge) await pause(ambient);
  return { object, parameters };
}

/** Checks the namespace. @throws StatusError 400 if it differs from the path (semantics/metadata#name-and-namespace) */
export function requireNamespace(
  { info }: RequestScope,
  served: ServedResource,
  { metadata }: ApiObject,
): void {
  if (!served.namespaced || !metadata.namespace || metadata.namespace === info.namespace) return;
  throw StatusError.badRequest(
    'the namespace of the provided object does not match the namespace sent on the request',
  );
}

/**
 * Returns an object with the namespace of the path, which admission is to see.
 * @throws StatusError 400 if it has another one (semantics/metadata#name-and-namespace)
 */
export function inNamespace(scope: RequestScope, served: ServedResource, object: ApiObject): ApiObject {
  requireNamespace(scope, served, object);
  if (!served.namespaced || object.metadata.namespace) return object;
  return withCanonicalMetadata(object, { namespace: scope.info.namespace });
}

/** Checks the name. @throws StatusError 400 if it differs from the path or is missing */
export function requireName(name: string, { metadata }: ApiObject): void {
  if (metadata.name === name) return;
  throw StatusError.badRequest(
    metadata.name
      ? `the name of the object (${metadata.name}) does not match the name on the URL (${name})`
      : `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
  );
}
