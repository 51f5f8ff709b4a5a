import {
  deleteOptionsSchema,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  metaGroup,
  parseApiVersion,
  runInSlices,
  StatusError,
  type Steps,
  validateDeleteOptions,
} from '@ashlar/core';
import type { DeleteRequest } from '@ashlar/registry';
import { compileTyped } from '@ashlar/schema';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { ResourceRequest } from '../verbs/resource-request.ts';
import { withBodyErrors } from './body-errors.ts';
import type { Query } from './query.ts';
import { decodeBodySteps, readBody } from './request-body.ts';
import { isTrue } from './request-info.ts';
import { integerParameter, parseDryRun, requireValidOptions } from './request-parameters.ts';

const KIND = 'DeleteOptions';
const codec = compileTyped(deleteOptionsSchema);

/** The options of a deletion. */
export interface DeleteOptions {
  readonly request: DeleteRequest;
  readonly dryRun: boolean;
  readonly orphanDependents: boolean | undefined;
  /** Whether an object that cannot be read is to be removed. */
  readonly isUnsafe: boolean;
  /** As the caller gave them. */
  readonly options: JsonObject;
}

type WireDeleteOptions = Parameters<typeof validateDeleteOptions>[0];

/**
 * Reads the options of a deletion from the body, or from the query if there is no body (semantics/verbs#delete).
 * @throws StatusError 400, 413, 415, 422
 */
export async function readDeleteOptions(request: ResourceRequest): Promise<DeleteOptions> {
  const { scope, served, ambient } = request;
  const bytes = await readBody(scope, ambient);
  const submitted =
    bytes.length > 0
      ? await runInSlices(optionsOfBody(scope, served, bytes), ambient)
      : optionsOfQuery(scope);
  if (bytes.length > 0)
    scope.audit?.contents?.submitOptions(submitted as unknown as JsonObject, served.vocabulary);
  const wire = request.deletesUnreadable ? submitted : withoutUnsafe(submitted);
  requireValidOptions(served.vocabulary, KIND, validateDeleteOptions(wire));
  const { orphanDependents, preconditions, gracePeriodSeconds } = wire;
  const propagationPolicy = policyOf(wire);
  return {
    request: {
      ...(propagationPolicy && { propagationPolicy }),
      ...(orphanDependents !== undefined && { orphanDependents }),
      ...(preconditions && { preconditions }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    },
    dryRun: (wire.dryRun ?? []).length > 0,
    orphanDependents,
    isUnsafe: wire[UNSAFE] === true,
    options: wire as unknown as JsonObject,
  };
}

function policyOf({
  propagationPolicy,
  orphanDependents,
}: WireDeleteOptions): DeleteRequest['propagationPolicy'] {
  if (propagationPolicy !== undefined) return propagationPolicy as DeleteRequest['propagationPolicy'];
  return orphanDependents === undefined ? undefined : orphanDependents ? 'Orphan' : 'Background';
}

function* optionsOfBody(
  scope: RequestScope,
  served: ServedResource,
  bytes: Uint8Array,
): Steps<WireDeleteOptions> {
  const format = served.mediaTypes.bodyFormat(scope.request.headers.get('content-type'));
  if (format === 'json' || format === 'yaml') {
    const { value } = yield* decodeBodySteps(bytes, format, KIND, false);
    requireApiVersion(value);
    return typed(value, served);
  }
  const encoding = served[format];
  return typed(
    withBodyErrors(bytes, KIND, () => encoding.decodeDeleteOptions(bytes)),
    served,
  );
}

/** The version is read before the options, whatever it is a version of. @throws StatusError 400 */
function requireApiVersion(value: JsonValue): void {
  if (!isJsonObject(value) || typeof value.apiVersion !== 'string') return;
  if (parseApiVersion(value.apiVersion) === undefined)
    throw StatusError.badRequest(`unexpected GroupVersion string: ${value.apiVersion}`);
}

const UNSAFE = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Without the option to delete unreadable objects, which is ignored while its feature gate is off (semantics/verbs#delete). */
function withoutUnsafe({ [UNSAFE]: _, ...options }: WireDeleteOptions): WireDeleteOptions {
  return options;
}

/** @throws StatusError 400 */
function typed(value: JsonValue, { vocabulary }: ServedResource): WireDeleteOptions {
  const options = decoded(value);
  if (options.kind === undefined || options.kind === KIND) return options as WireDeleteOptions;
  throw StatusError.badRequest(
    `${String(options.kind)} cannot be handled as ${KIND} of ${metaGroup(vocabulary)}`,
  );
}

function decoded(value: JsonValue): JsonObject {
  try {
    return codec.decode(value, () => {});
  } catch (error) {
    throw StatusError.badRequest(errorMessage(error), error);
  }
}

function optionsOfQuery({ info }: RequestScope): WireDeleteOptions {
  const { query } = info;
  const gracePeriodSeconds = integerParameter(query, 'gracePeriodSeconds');
  const propagationPolicy = query.get('propagationPolicy');
  return {
    dryRun: parseDryRun(query),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...(query.has('orphanDependents') && { orphanDependents: isTrue(query.get('orphanDependents')) }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...preconditionsOf(query),
    ...(query.has(UNSAFE) && { [UNSAFE]: isTrue(query.get(UNSAFE)) }),
  };
}

function preconditionsOf(query: Query): Pick<WireDeleteOptions, 'preconditions'> {
  const uid = query.get('uid');
  const resourceVersion = query.get('resourceVersion');
  if (!uid && !resourceVersion) return {};
  return { preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) } };
}
