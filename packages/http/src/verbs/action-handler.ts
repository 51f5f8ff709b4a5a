import {
  type ApiObject,
  requireNameParameter,
  type ServerResponse,
  type Status,
  StatusError,
  timestampText,
} from '@ashlar/core';
import {
  type ActionObjects,
  type ActionSubresource,
  storageVersion,
  withoutSystemMetadata,
} from '@ashlar/registry';
import type { ApiCatalog } from '../catalog/api-catalog.ts';
import type { ServedResource } from '../catalog/served-resource.ts';
import { negotiateResponse } from '../encoding/negotiate-response.ts';
import { objectResponse, statusResponse } from '../encoding/responses.ts';
import { requestContext } from '../request/request-context.ts';
import { type ResourceRequest, requireVerb } from './resource-request.ts';
import { readObject, requireNamespace } from './write-handlers.ts';

/** An action and the resource that has it. */
export interface FoundAction {
  readonly definition: ActionSubresource;
  readonly parent: ServedResource;
}

/** Handles POST to a subresource that stores nothing: `binding`, `eviction` (semantics/verbs#subresources). */
export async function handleAction(
  request: ResourceRequest,
  { definition, parent }: FoundAction,
  catalog: ApiCatalog,
): Promise<ServerResponse> {
  const { scope, served, ambient } = request;
  const representation = negotiateResponse(scope, served, 'object', false);
  const { object: submitted, parameters } = await readObject(request, 'CreateOptions');
  requireNamespace(scope, served, submitted);
  const { name, namespace } = scope.info;
  // at the path of its collection it is a new object, which has no uid of its own yet
  const object = name === '' ? withoutSystemMetadata(submitted, namespace) : submitted;
  const context = { ...requestContext(request, parameters, representation), version: parent.version.name };
  const act = requireVerb(parent, 'act', 'create');
  const result = await act(context, {
    action: definition.name,
    // a path without a name leaves it to the body
    name: name || requireNameParameter(object.metadata.name),
    object,
    environment: {
      parent: actionObjects(parent),
      related: (group, plural) => relatedObjects(catalog, group, plural),
      timestamp: timestampText(ambient.clock.now()),
      ambient,
    },
  });
  return isStatus(result)
    ? statusResponse(request, result.code ?? 201, result, representation)
    : objectResponse(request, result, representation, 201);
}

const isStatus = (result: Status | ApiObject): result is Status => result.kind === 'Status';

function actionObjects({ storage, groupResource }: ServedResource): ActionObjects {
  return {
    storage,
    change(context, name, change) {
      if (!storage.change) throw StatusError.methodNotSupported(groupResource, 'update');
      return storage.change(context, name, change);
    },
  };
}

function relatedObjects(catalog: ApiCatalog, group: string, plural: string): ActionObjects | undefined {
  for (const { resources } of catalog.versions(group)) {
    const served = resources.get(plural);
    if (served && storageVersion(served.definition) === served.version) return actionObjects(served);
  }
  return undefined;
}
