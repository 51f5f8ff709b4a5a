import {
  type ApiObject,
  type JsonValue,
  type MaybePromise,
  pause,
  runInSlices,
  type ServerResponse,
  type Steps,
  valueAt,
} from '@ashlar/core';
import type { ApplyRequest } from '@ashlar/registry';
import { negotiateResponse } from '../encoding/negotiate-response.ts';
import { objectResponse } from '../encoding/responses.ts';
import {
  APPLY_CBOR_PATCH,
  type ReadConfiguration,
  readCborConfiguration,
  readConfigurationSteps,
} from '../request/read-apply.ts';
import { readBody } from '../request/request-body.ts';
import { requestContext } from '../request/request-context.ts';
import { isTrue } from '../request/request-info.ts';
import { parseWriteParameters } from '../request/request-parameters.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { requireName, requireNamespace } from './write-handlers.ts';

/**
 * Handles PATCH with an applied configuration: server-side apply (semantics/apply).
 * @param type media type of the configuration
 */
export async function handleApply(request: ResourceRequest, type: string): Promise<ServerResponse> {
  const { scope, served, subresource } = request;
  const representation = negotiateResponse(scope, served, 'object');
  const update = requireVerb(served, 'update', 'patch');
  const bytes = await readBody(scope, request.ambient);
  const { info, warn } = scope;
  const parameters = parseWriteParameters(info.query, served.vocabulary, 'PatchOptions', type);
  scope.audit?.contents?.submitPatch(bytes, type);
  const context = requestContext(request, parameters, representation);
  const named = { name: info.name, ...(subresource && { subresource: subresource.name }) };
  const reading = orElseReport(readConfiguration);
  const { configuration, findings } = reading instanceof Promise ? await reading : reading;
  if (scope.isLarge) await pause(request.ambient);
  findings.forEach(warn);
  const apply: ApplyRequest = {
    configuration,
    force: isTrue(info.query.get('force')),
    // no generator of its own: each would get a hidden class, which retains the request until a full garbage collection
    completeSteps: (merged) => completeSteps(request, configuration, merged),
  };
  const { answer, created } = await update(context, {
    name: info.name,
    apply,
    createsAbsent: subresource ? 'if-allowed' : 'always',
    ...(subresource && { subresource: subresource.name }),
  });
  return objectResponse(request, answer, representation, created ? 201 : 200);

  function readConfiguration(): MaybePromise<ReadConfiguration> {
    if (type === APPLY_CBOR_PATCH) return readCborConfiguration(bytes);
    return runInSlices(readConfigurationSteps(bytes, parameters.fieldValidation), request.ambient);
  }

  /** A missing object is reported before errors of what is applied to a part of it. */
  function orElseReport(read: () => MaybePromise<ReadConfiguration>): MaybePromise<ReadConfiguration> {
    const fail = async (error: unknown): Promise<never> => {
      if (info.subresource) await update(context, { ...named, update: () => Promise.reject(error) });
      throw error;
    };
    try {
      const result = read();
      return result instanceof Promise ? result.catch(fail) : result;
    } catch (error) {
      return fail(error);
    }
  }
}

/** Decodes what an apply has merged, and checks that it is the object that the path names. */
function* completeSteps(
  { scope, served }: ResourceRequest,
  configuration: JsonValue,
  merged: ApiObject,
): Steps<ApiObject> {
  const applied = `${textAt(configuration, 'namespace')}/${textAt(configuration, 'name')}`;
  const options = { fieldValidation: 'Ignore', findings: [], warn: scope.warn, applied } as const;
  const object = yield* served.decoder.decodeAppliedSteps(merged as unknown as JsonValue, options);
  requireNamespace(scope, served, object);
  requireName(scope.info.name, object);
  return object;
}

function textAt(configuration: JsonValue, name: string): string {
  const value = valueAt(configuration, ['metadata', name]);
  return typeof value === 'string' ? value : '';
}
