import { type ApiObject, type JsonValue, type ServerResponse, StatusError } from '@ashlar/core';
import type { ApplyRequest } from '@ashlar/registry';
import { negotiateResponse } from './negotiate-response.ts';
import { APPLY_PATCH, readConfiguration } from './read-apply.ts';
import { readBody } from './request-body.ts';
import { requestContext } from './request-context.ts';
import { isTrue } from './request-info.ts';
import { parseWriteParameters } from './request-parameters.ts';
import type { ResourceRequest } from './resource-request.ts';
import { objectResponse } from './responses.ts';
import { requireName, requireNamespace } from './write-handlers.ts';

/** PATCH with a configuration: server-side apply (semantics F). */
export async function handleApply({
  scope,
  served,
  subresource,
  ambient,
  authorizer,
}: ResourceRequest): Promise<ServerResponse> {
  const representation = negotiateResponse(scope, served, 'object');
  const { update } = served.storage;
  if (!update) throw StatusError.methodNotSupported(served.groupResource, 'patch');
  const bytes = await readBody(scope);
  const { info, warn } = scope;
  const parameters = parseWriteParameters(info.query, served.vocabulary, 'PatchOptions', APPLY_PATCH);
  const { configuration, findings } = readConfiguration(bytes, parameters.fieldValidation);
  findings.forEach(warn);
  const apply: ApplyRequest = {
    configuration,
    force: isTrue(info.query.get('force')),
    complete(merged) {
      const request = { fieldValidation: 'Ignore', findings: [], warn } as const;
      const object = served.decoder.decodePatched(merged as unknown as JsonValue, request);
      requireSame(object);
      return object;
    },
  };
  const { answer, created } = await update(requestContext(scope, served, authorizer, parameters), {
    name: info.name,
    update: apply,
    ...(subresource ? { subresource: subresource.name } : { createsAbsent: 'always' }),
  });
  const status = created ? 201 : 200;
  return objectResponse(scope, served, answer, representation, { status, now: ambient.clock.now() });

  function requireSame(object: ApiObject): void {
    requireNamespace(scope, served, object);
    requireName(info.name, object);
  }
}
