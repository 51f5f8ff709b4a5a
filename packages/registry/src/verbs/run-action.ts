import { type ApiObject, type Status, StatusError } from '@ashlar/core';
import type { ActionRequest, RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { withCanonicalMetadata } from '../objects/canonical-object.ts';
import { subresourceDecoder, withSubresourceKind } from './subresource-admission.ts';

/**
 * Runs an action. Admission sees it as the creation of the submitted object under a subresource such as `pods/eviction` or
 * `serviceaccounts/token` (semantics/verbs#subresources).
 * @throws StatusError 405 if the type has no such action
 */
export async function actOnObject(
  resource: StoredResource,
  context: RequestContext,
  { action: subresource, name, object: submitted, environment }: ActionRequest,
): Promise<Status | ApiObject> {
  const { definition, admission, groupResource } = resource;
  const action = definition.actions?.find((candidate) => candidate.name === subresource);
  if (!action) throw StatusError.methodNotSupported(groupResource, 'create');
  const sent = inNamespaceOf(resource, context, submitted);
  const parentRequest = resource.admissionRequest(context, 'CREATE', { name, subresource, object: sent });
  const request = withSubresourceKind(parentRequest, action, resource, []);
  const mutated = (await admission.mutate(request)) ?? sent;
  const settled = mutated === sent ? sent : subresourceDecoder(action, resource).settle(mutated);
  const object = (await action.prepare?.(context, name, settled, environment)) ?? settled;
  await admission.validate({ ...request, object });
  return action.create(context, name, object, environment);
}

/** What is sent without a namespace is of that of the request. */
function inNamespaceOf(
  { namespaced }: StoredResource,
  { namespace }: RequestContext,
  object: ApiObject,
): ApiObject {
  return namespaced && !object.metadata.namespace ? withCanonicalMetadata(object, { namespace }) : object;
}
