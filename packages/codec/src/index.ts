export { type CborCodec, compileCbor, plainCbor, selfDescribed } from './cbor/cbor.ts';
export { type CborDecodeOptions, type DecodedCbor, decodeCbor, decodeCborSteps } from './cbor/cbor-decode.ts';
export { diagnoseCbor } from './cbor/cbor-diagnostic.ts';
export { type CborEncodeOptions, encodeCbor } from './cbor/cbor-encode.ts';
export { callForJson } from './json/json-call.ts';
export {
  type DecodedJson,
  decodeJson,
  decodeJsonSteps,
  type JsonDecodeOptions,
  requireJsonLimits,
} from './json/json-decode.ts';
export { encodeJson, encodeJsonSteps, encodeJsonText, type JsonEncodeOptions } from './json/json-encode.ts';
export type { IntegerDecimal } from './json/json-parser.ts';
export { type AcceptClause, parseAccept } from './negotiation/accept-header.ts';
export { type ContentType, negotiateContentType, parseContentType } from './negotiation/content-type.ts';
export {
  CBOR_MEDIA_TYPE,
  CBOR_SEQUENCE_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  mediaTypeNames,
  type OptionalEncodings,
  objectMediaTypes,
  type ServedMediaType,
  YAML_MEDIA_TYPE,
} from './negotiation/media-types.ts';
export {
  type MediaTypeTransform,
  type NegotiatedMediaType,
  negotiateAccept,
  negotiateWatch,
  notAcceptable,
  objectTransforms,
  plainOnly,
  type TransformRule,
} from './negotiation/negotiation.ts';
export { checkRouteAccept, routeMediaTypes } from './negotiation/route-accept.ts';
export { listSchema } from './protobuf/list-schema.ts';
export { metaKindSchema } from './protobuf/meta-kind-schema.ts';
export { compileProtobuf, type ProtobufCodec } from './protobuf/protobuf.ts';
export {
  decodeEnvelope,
  type EnvelopeFrame,
  encodeEnvelope,
  envelopeFrame,
  type ProtobufEnvelope,
} from './protobuf/protobuf-envelope.ts';
export {
  type ProtobufListHead,
  protobufItemMessage,
  protobufListFrame,
  protobufListItem,
} from './protobuf/protobuf-list.ts';
export { ProtobufWriter } from './protobuf/protobuf-writer.ts';
export { decodeDocument, rejectStrictErrors } from './serializers/decode-document.ts';
export { DecodeError, type DecodeErrorKind } from './serializers/decode-error.ts';
export type { DocumentLimits } from './serializers/document-limits.ts';
export {
  decodeProtobufEvent,
  type EncodedWatchEvent,
  frameCborEvent,
  frameJsonEvent,
  frameProtobufEvent,
  readCborItems,
  readFrames,
  readLines,
} from './serializers/framing.ts';
export {
  type BodyDecodeOptions,
  cborSerializer,
  createProtobufSerializer,
  type DecodedBody,
  jsonSerializer,
  type SchemaLookup,
  type Serializer,
  yamlSerializer,
} from './serializers/serializer.ts';
export {
  type BodyKind,
  bodyKind,
  namedKind,
  namesKind,
  requireKind,
  unreadableKind,
  unrecognizedBody,
} from './serializers/unrecognized-body.ts';
export { byteString, byteStringText, decodeUtf8, encodeUtf8 } from './serializers/utf8.ts';
export { writtenUser } from './serializers/written-user.ts';
export { type DecodedYaml, decodeYaml, decodeYamlSteps, type YamlDecodeOptions } from './yaml/yaml-decode.ts';
export { decodeYamlDocuments } from './yaml/yaml-documents.ts';
export { encodeYaml, encodeYamlSteps, encodeYamlText } from './yaml/yaml-encode.ts';
