import { builtInResources } from '@ashlar/apis';
import { workloadResources } from '@ashlar/apis/workloads';
import { createProtobufSerializer } from '@ashlar/codec';
import { type JsonObject, type Schema, kubernetesVocabulary as vocabulary } from '@ashlar/core';

const schemas = new Map<string, Schema>();
for (const { group, names, versions } of [...builtInResources(vocabulary), ...workloadResources(vocabulary)])
  for (const { name, schema } of versions)
    schemas.set(`${group ? `${group}/` : ''}${name} ${names.kind}`, schema);

const serializer = createProtobufSerializer(vocabulary, (apiVersion, kind) =>
  schemas.get(`${apiVersion} ${kind}`),
);

/** An object in Protobuf; where its values have no such form, none. */
export function protobufOf(json: string): Uint8Array {
  try {
    return serializer.encode(JSON.parse(json) as JsonObject);
  } catch (error) {
    if (error instanceof TypeError) return new Uint8Array();
    throw error;
  }
}
