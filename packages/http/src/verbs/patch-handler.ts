import {
  type ApiObject,
  type JsonObject,
  pause,
  runInSlices,
  type ServerResponse,
  StatusError,
  type Steps,
} from '@ashlar/core';
import { withCanonicalMetadata } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import { negotiateResponse, requireRoutableAccept } from '../encoding/negotiate-response.ts';
import { objectResponse } from '../encoding/responses.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import { APPLY_CBOR_PATCH, APPLY_PATCH } from '../request/read-apply.ts';
import { JSON_PATCH, type ReadPatch, readPatchSteps } from '../request/read-patch.ts';
import { readBody } from '../request/request-body.ts';
import { requestContext } from '../request/request-context.ts';
import { parseWriteParameters, type WriteParameters } from '../request/request-parameters.ts';
import { handleApply } from './apply-handler.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { requireName, requireNamespace } from './write-handlers.ts';

/** Handles PATCH of one object: a patch of any type, or an applied configuration (semantics/verbs#patch). */
export async function handlePatch(request: ResourceRequest): Promise<ServerResponse> {
  requireRoutablePatch(request.scope, request.served);
  requireRoutableAccept(request.scope, request.served, 'object');
  const type = patchType(request.scope, request.served);
  const isApply = type === APPLY_PATCH || type === APPLY_CBOR_PATCH;
  return isApply ? handleApply(request, type) : patchObject(request, type);
}

async function patchObject(request: ResourceRequest, type: string): Promise<ServerResponse> {
  const { scope, served, subresource } = request;
  const representation = negotiateResponse(scope, served, 'object');
  const update = requireVerb(served, 'update', 'patch');
  const bytes = await readBody(scope, request.ambient);
  const parameters = parseWriteParameters(scope.info.query, served.vocabulary, 'PatchOptions', type);
  scope.audit?.contents?.submitPatch(bytes, type);
  const patch = memoize(async () => {
    const steps = readPatchSteps(type, bytes, parameters.fieldValidation, served.version.schema);
    const reading = runInSlices(steps, request.ambient);
    const read = reading instanceof Promise ? await reading : reading;
    reportFindings(read, parameters, scope);
    if (scope.isLarge) await pause(request.ambient);
    return read;
  });
  // a missing object is reported before errors of the patch
  const apply = async (current: ApiObject | undefined): Promise<ApiObject> => {
    if (!current) throw StatusError.notFound(served.groupResource, scope.info.name);
    const read = await patch();
    return runInSlices(patchedObject(scope, served, read, parameters, current), request.ambient);
  };
  const { answer } = await update(requestContext(request, parameters, representation), {
    name: scope.info.name,
    update: apply,
    isPatch: true,
    // a JSON patch may copy what is there again and again
    isBounded: type !== JSON_PATCH,
    ...(subresource && { subresource: subresource.name }),
  });
  return objectResponse(request, answer, representation);
}

function memoize<T>(make: () => T): () => T {
  let result: T | undefined;
  return () => {
    result ??= make();
    return result;
  };
}

/**
 * Checks that the route of a built-in type knows one of the content types that the header lists. A request without a body has no route
 * that could be acceptable (semantics/patches#errors).
 * @throws StatusError 415, 406
 */
export function requireRoutablePatch(
  { request }: RequestScope,
  { patchTypes, routes }: ServedResource,
): void {
  if (routes === 'custom') return;
  const header = request.headers.get('content-type') ?? '';
  if (patchTypes.includes(header)) return;
  if (header.split(',').some((type) => patchTypes.includes(withoutParameters(type).trim()))) return;
  const length = request.headers.get('content-length');
  if (Number(length) > 0) throw routeRefusal(415, '415: Unsupported Media Type');
  const none = '\n\nAvailable representations: ';
  throw length === undefined
    ? routeRefusal(415, `415: Unsupported Media Type${none}`)
    : routeRefusal(406, `406: Not Acceptable${none}`);
}

const routeRefusal = (code: 406 | 415, message: string): StatusError =>
  new StatusError({
    code,
    reason: code === 406 ? 'NotAcceptable' : 'UnsupportedMediaType',
    message,
    details: {},
  });

const withoutParameters = (type: string): string => {
  const semicolon = type.indexOf(';');
  return semicolon < 0 ? type : type.slice(0, semicolon);
};

/** Returns the content type without parameters. @throws StatusError 415 (semantics/patches#errors) */
function patchType({ request }: RequestScope, { patchTypes }: ServedResource): string {
  const type = withoutParameters(request.headers.get('content-type') ?? '');
  if (patchTypes.includes(type)) return type;
  throw StatusError.unsupportedMediaType(patchTypes);
}

function reportFindings(
  { findings }: ReadPatch,
  { fieldValidation }: WriteParameters,
  { warn }: RequestScope,
): void {
  if (findings.length > 0 && fieldValidation === 'Strict') {
    throw StatusError.badRequest(`strict decoding error: ${findings.join(', ')}`);
  }
  findings.forEach(warn);
}

function* patchedObject(
  scope: RequestScope,
  served: ServedResource,
  patch: ReadPatch,
  { fieldValidation }: WriteParameters,
  current: ApiObject,
): Steps<ApiObject> {
  const patched = yield* patch.applySteps(current as unknown as JsonObject);
  yield;
  const { strategic } = patch;
  const decode = {
    ...{ fieldValidation, findings: [], warn: scope.warn },
    ...(strategic !== undefined && { strategicPatch: strategic }),
  };
  const object = yield* served.decoder.decodePatchedSteps(patched, decode);
  requireNamespace(scope, served, object);
  requireName(scope.info.name, object);
  const { namespace } = current.metadata;
  return object.metadata.namespace === namespace ? object : withCanonicalMetadata(object, { namespace });
}
