import { compileProtobuf, encodeEnvelope, type ProtobufCodec } from '@ashlar/codec';
import { type JsonObject, listMetaSchema, objectMetaSchema, type Schema } from '@ashlar/core';

const text = (tag: number): Schema => ({ type: 'string', tag });
const texts = (tag: number): Schema => ({ type: 'array', items: { type: 'string' }, tag });
const listOf = (items: Schema, tag: number): Schema => ({ type: 'array', items, tag });
const object = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });

const addresses = listOf(object({ clientCIDR: text(1), serverAddress: text(2) }), 2);
const groupVersion = object({ groupVersion: text(1), version: text(2) });
const groupFields = {
  name: text(1),
  versions: listOf(groupVersion, 2),
  preferredVersion: { ...groupVersion, tag: 3 },
};
const resource = object({
  name: text(1),
  namespaced: { type: 'boolean', tag: 2 },
  kind: text(3),
  verbs: { ...texts(4), typeName: 'Verbs' },
  shortNames: texts(5),
  singularName: text(6),
  categories: texts(7),
  group: text(8),
  version: text(9),
  storageVersionHash: text(10),
});
const responseKind = (tag: number): Schema => ({
  ...object({ group: text(1), version: text(2), kind: text(3) }),
  optional: true,
  tag,
});
const aggregatedResource = object({
  resource: text(1),
  responseKind: responseKind(2),
  scope: text(3),
  singularResource: text(4),
  verbs: texts(5),
  shortNames: texts(6),
  categories: texts(7),
  subresources: listOf(object({ subresource: text(1), responseKind: responseKind(2), verbs: texts(4) }), 8),
});
const aggregatedVersion = object({
  version: text(1),
  resources: listOf(aggregatedResource, 2),
  freshness: text(3),
});

/** The documents of discovery by kind, with their field numbers (semantics/discovery#discovery, #aggregated-discovery, semantics/encodings#protobuf). */
const CODECS: Readonly<Record<string, ProtobufCodec>> = {
  APIVersions: compileProtobuf(object({ versions: texts(1), serverAddressByClientCIDRs: addresses })),
  APIGroup: compileProtobuf(object(groupFields)),
  APIGroupList: compileProtobuf(object({ groups: listOf(object(groupFields), 1) })),
  APIResourceList: compileProtobuf(object({ groupVersion: text(1), resources: listOf(resource, 2) })),
  APIGroupDiscoveryList: compileProtobuf(
    object({
      metadata: { ...listMetaSchema, tag: 1 },
      items: listOf(
        object({ metadata: { ...objectMetaSchema, tag: 1 }, versions: listOf(aggregatedVersion, 2) }),
        2,
      ),
    }),
  ),
};

/** A document of discovery in its Protobuf envelope. @throws TypeError for other documents */
export function encodeDiscovery(document: object): Uint8Array {
  const { kind, apiVersion = '' } = document as { kind: string; apiVersion?: string };
  const codec = CODECS[kind];
  if (!codec) throw new TypeError(`${kind} is not a discovery document`);
  return encodeEnvelope({ apiVersion, kind, raw: codec.encode(document as JsonObject) });
}
