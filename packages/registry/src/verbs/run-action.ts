import { type ApiObject, type Status, StatusError } from '@ashlar/core';
import type { ActionRequest, RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
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
  const parentRequest = resource.admissionRequest(context, 'CREATE', {
    name,
    subresource,
    object: submitted,
  });
  const request = withSubresourceKind(parentRequest, action, resource, []);
  const mutated = (await admission.mutate(request)) ?? submitted;
  const object = mutated === submitted ? submitted : subresourceDecoder(action, resource).settle(mutated);
  await admission.validate({ ...request, object });
  return action.create(context, name, object, environment);
}
