import type { AdmissionChain, AdmissionRequest } from '@ashlar/admission';
import type { ApiObject } from '@ashlar/core';
import type { ActionSubresource, RequestContext, ResourceDefinition } from '@ashlar/registry';

/**
 * A type whose actions pass admission as creations do, under the name of what they are for: `pods/eviction`, `serviceaccounts/token`
 * (semantics/verbs#subresources, J).
 */
export function withAdmittedActions(
  definition: ResourceDefinition,
  admission: AdmissionChain,
): ResourceDefinition {
  const { actions } = definition;
  if (!actions) return definition;
  return { ...definition, actions: actions.map((action) => admitted(action, definition, admission)) };
}

function admitted(
  action: ActionSubresource,
  definition: ResourceDefinition,
  admission: AdmissionChain,
): ActionSubresource {
  return {
    ...action,
    async create(context, name, submitted, environment) {
      const request = requestOf(action, definition, context, name, submitted);
      const object = (await admission.mutate(request)) ?? submitted;
      await admission.validate({ ...request, object });
      return action.create(context, name, object, environment);
    },
  };
}

function requestOf(
  { name: subresource, group, version, kind }: ActionSubresource,
  definition: ResourceDefinition,
  context: RequestContext,
  name: string,
  object: ApiObject,
): AdmissionRequest {
  const { namespace, user, dryRun, warn, annotate } = context;
  return {
    ...{ operation: 'CREATE', subresource, namespace, name, object, user, dryRun, warn, annotate },
    resource: { group: definition.group, version: context.version, resource: definition.names.plural },
    kind: { group, version, kind },
  };
}
