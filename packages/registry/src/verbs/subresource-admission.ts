import type { AdmissionRequest } from '@ashlar/admission';
import type { ApiObject, JsonObject } from '@ashlar/core';
import { compileKindFieldType } from '@ashlar/field-manager';
import type { StoredResource } from '../definition/stored-resource.ts';
import type { SubresourceKind } from '../definition/subresource-kinds.ts';
import { objectDecoder } from '../objects/create-object-decoder.ts';
import type { ObjectDecoder } from '../objects/object-decoder.ts';
import { mergePartSteps } from '../ownership/merge-part.ts';

const decoders: WeakMap<SubresourceKind, ObjectDecoder> = new WeakMap();

/**
 * Returns an admission request whose objects are of the kind of a subresource, such as `Scale` or `Eviction`: it is the same kind in all
 * versions of the parent.
 * @param others versions of the parent besides that of the request, in which rules may match
 */
export function withSubresourceKind(
  request: AdmissionRequest,
  subresource: SubresourceKind,
  resource: StoredResource,
  others: readonly string[],
): AdmissionRequest {
  const { group, version, kind, schema } = subresource;
  return {
    ...request,
    kind: { group, version, kind },
    versions: {
      others,
      isCustom: false,
      convert: (object) => object,
      decodeSteps: (object, _version, isStrict) =>
        subresourceDecoder(subresource, resource).settleSteps(object, isStrict),
      mergeSteps: (object: ApiObject, part: JsonObject) =>
        mergePartSteps(object, part, compileKindFieldType(schema)),
    },
  };
}

/** Returns the decoder of the kind of a subresource; such kinds are built in, also those of custom types. */
export function subresourceDecoder(
  subresource: SubresourceKind,
  { definition }: StoredResource,
): ObjectDecoder {
  const existing = decoders.get(subresource);
  if (existing) return existing;
  const { group, version: name, kind, schema, complete } = subresource;
  const version = { name, served: true, storage: true, schema, ...(complete && { complete }) };
  const names = { ...definition.names, kind };
  const decoder = objectDecoder(
    { ...definition, group, names, dialect: 'built-in', versions: [version] },
    version,
  );
  decoders.set(subresource, decoder);
  return decoder;
}
