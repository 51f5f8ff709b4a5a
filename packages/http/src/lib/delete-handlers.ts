import {
  isJsonObject,
  type JsonValue,
  metaGroup,
  type ServerResponse,
  StatusError,
  successStatus,
  validateDeleteOptions,
} from '@ashlar/core';
import type { DeleteRequest } from '@ashlar/registry';
import { negotiateResponse } from './negotiate-response.ts';
import { objectOf } from './object-encoding.ts';
import { decodeBody, readBody } from './request-body.ts';
import { requestContext } from './request-context.ts';
import { isTrue } from './request-info.ts';
import { parseDryRun, parseListParameters, refuseOptions } from './request-parameters.ts';
import type { RequestScope } from './request-scope.ts';
import type { ResourceRequest } from './resource-request.ts';
import { listResponse, objectResponse, statusResponse } from './responses.ts';
import type { ServedResource } from './served-resource.ts';

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

interface DeleteOptions {
  readonly request: DeleteRequest;
  readonly dryRun: boolean;
  readonly orphanDependents: boolean | undefined;
}

type WireDeleteOptions = Parameters<typeof validateDeleteOptions>[0];

/** Options come from the body, and from the query only where there is no body (semantics C6). */
async function readDeleteOptions(scope: RequestScope, served: ServedResource): Promise<DeleteOptions> {
  const bytes = await readBody(scope);
  const wire = bytes.length > 0 ? optionsOfBody(scope, served, bytes) : optionsOfQuery(scope);
  refuseOptions(served.vocabulary, 'DeleteOptions', validateDeleteOptions(wire));
  const { orphanDependents, propagationPolicy, preconditions, gracePeriodSeconds } = wire;
  const policy =
    propagationPolicy ??
    (orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background');
  return {
    request: {
      ...(policy && { propagationPolicy: policy as 'Foreground' | 'Background' | 'Orphan' }),
      ...(preconditions && { preconditions }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    },
    dryRun: (wire.dryRun ?? []).length > 0,
    orphanDependents,
  };
}

/** @throws StatusError 400, 415 */
function optionsOfBody(scope: RequestScope, served: ServedResource, bytes: Uint8Array): WireDeleteOptions {
  const format = served.mediaTypes.bodyFormat(scope.request.headers.get('content-type'));
  const value =
    format === 'protobuf'
      ? served.protobuf.decodeDeleteOptions(bytes)
      : decodeBody(bytes, format, 'DeleteOptions', false).value;
  if (!isJsonObject(value)) throw StatusError.badRequest('the options of a deletion are an object');
  requireDeleteOptionsKind(served, value);
  return typedOptions(value);
}

function requireDeleteOptionsKind(
  served: ServedResource,
  { kind, apiVersion }: { kind?: JsonValue; apiVersion?: JsonValue },
): void {
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw StatusError.badRequest(
      `${String(kind)} cannot be handled as DeleteOptions of ${metaGroup(served.vocabulary)}`,
    );
  }
  if (apiVersion !== undefined && typeof apiVersion !== 'string')
    throw StatusError.badRequest('apiVersion is a string');
}

const OPTION_TYPES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  dryRun: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  gracePeriodSeconds: Number.isInteger,
  orphanDependents: (value) => typeof value === 'boolean',
  propagationPolicy: (value) => typeof value === 'string',
  preconditions: isJsonObject,
  ignoreStoreReadErrorWithClusterBreakingPotential: (value) => typeof value === 'boolean',
};

function typedOptions(value: { readonly [name: string]: JsonValue | undefined }): WireDeleteOptions {
  const options: Record<string, JsonValue> = {};
  for (const [name, fits] of Object.entries(OPTION_TYPES)) {
    const option = value[name];
    if (option === undefined || option === null) continue;
    if (!fits(option)) throw StatusError.badRequest(`DeleteOptions.${name} has the wrong type`);
    options[name] = option;
  }
  return options as WireDeleteOptions;
}

function optionsOfQuery({ info }: RequestScope): WireDeleteOptions {
  const { query } = info;
  const grace = query.get('gracePeriodSeconds');
  if (grace !== undefined && !/^[+-]?\d+$/.test(grace)) {
    throw StatusError.badRequest(`strconv.ParseInt: parsing ${JSON.stringify(grace)}: invalid syntax`);
  }
  const policy = query.get('propagationPolicy');
  return {
    dryRun: parseDryRun(query),
    ...(grace !== undefined && { gracePeriodSeconds: Number(grace) }),
    ...(query.has('orphanDependents') && { orphanDependents: isTrue(query.get('orphanDependents')) }),
    ...(policy !== undefined && { propagationPolicy: policy }),
  };
}
