import { decisionOf } from '@ashlar/authz';
import { FieldErrors, metaGroup, type ServerResponse, StatusError, successStatus } from '@ashlar/core';
import type { RequestContext } from '@ashlar/registry';
import type { Representation } from '../encoding/representation.ts';
import { statusResponse } from '../encoding/responses.ts';
import type { ResourceRequest } from './resource-request.ts';

const VERB = 'unsafe-delete-ignore-read-errors';
const OPTION = 'ignoreStoreReadErrorWithClusterBreakingPotential';

/** Handles the DELETE of an object that cannot be read: needs a verb of its own (semantics/verbs#delete). */
export async function deleteUnsafely(
  request: ResourceRequest,
  context: RequestContext,
  representation: Representation,
): Promise<ServerResponse> {
  const { scope, served } = request;
  const { group } = served.groupResource;
  const { name } = scope.info;
  context.annotate(`apiserver.${served.vocabulary.groupDomain}/unsafe-delete-ignore-read-error`, '');
  const remove = served.storage.deleteUnreadable;
  if (!remove)
    throw StatusError.internalError(new Error(`no unsafe deleter provided, can not honor ${OPTION}`));
  await requirePermission(request);
  await remove(context, name);
  const { kind } = served.definition.names;
  return statusResponse(request, 200, successStatus({ name, group, kind }), representation);
}

async function requirePermission({ scope, served, authorizer }: ResourceRequest): Promise<void> {
  const { info, user } = scope;
  const refused = (why: string): StatusError => StatusError.forbidden(served.groupResource, info.name, why);
  if (info.subresource !== '')
    throw refused(`${OPTION} delete option is not allowed on a subresource or non-resource request`);
  const { decision, reason, error } = await decisionOf(authorizer, {
    ...{ user, verb: VERB, isResourceRequest: true, path: info.path },
    ...{ apiGroup: info.apiGroup, apiVersion: info.apiVersion, resource: info.resource, subresource: '' },
    ...{ namespace: info.namespace, name: info.name },
  });
  if (decision === 'allow') return;
  if (error) throw refused(`error while checking permission for "${VERB}", ${error.message}`);
  throw refused(`not permitted to do "${VERB}", reason: ${reason ?? ''}`);
}

/** The error for a collection, of which no objects can be deleted unsafely. */
export function unsafeCollection({ served }: ResourceRequest): StatusError {
  const why = 'is not allowed with DELETECOLLECTION, try again after removing the option';
  return StatusError.invalid(metaGroup(served.vocabulary), 'DeleteOptions', '', [
    FieldErrors.invalid(OPTION, true, why),
  ]);
}
