import { type ApiObject, type JsonObject, type Status, StatusError } from '@ashlar/core';
import { compileKindFieldType } from '@ashlar/field-manager';
import type { ActionRequest, RequestContext } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { ActionSubresource } from '../definition/subresource-kinds.ts';
import { type ObjectDecoder, objectDecoder } from '../objects/object-decoder.ts';
import { mergePart } from '../ownership/merge-part.ts';

const decoders: WeakMap<ActionSubresource, ObjectDecoder> = new WeakMap();

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
  const request = {
    ...resource.admissionRequest(context, 'CREATE', { name, subresource, object: submitted }),
    kind: { group: action.group, version: action.version, kind: action.kind },
    versions: {
      others: [],
      isCustom: false,
      convert: (object: ApiObject) => object,
      decode: (object: ApiObject) => decoderOf(action, resource).settle(object),
      merge: (object: ApiObject, part: JsonObject) =>
        mergePart(object, part, compileKindFieldType(action.schema)),
    },
  };
  const mutated = (await admission.mutate(request)) ?? submitted;
  const object = mutated === submitted ? submitted : decoderOf(action, resource).settle(mutated);
  await admission.validate({ ...request, object });
  return action.create(context, name, object, environment);
}

/** Returns the decoder of the kind that an action accepts; such kinds are built in, also those of custom types. */
function decoderOf(action: ActionSubresource, { definition }: StoredResource): ObjectDecoder {
  const known = decoders.get(action);
  if (known) return known;
  const { group, version: name, kind, schema } = action;
  const version = { name, served: true, storage: true, schema };
  const names = { ...definition.names, kind };
  const decoder = objectDecoder(
    { ...definition, group, names, dialect: 'built-in', versions: [version] },
    version,
  );
  decoders.set(action, decoder);
  return decoder;
}
