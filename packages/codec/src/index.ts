export { type AcceptClause, parseAccept } from './lib/accept-header.ts';
export { type CborCodec, compileCbor, plainCbor, selfDescribed } from './lib/cbor.ts';
export { type CborDecodeOptions, type DecodedCbor, decodeCbor, decodeCborSteps } from './lib/cbor-decode.ts';
export { diagnoseCbor } from './lib/cbor-diagnostic.ts';
export { type CborEncodeOptions, encodeCbor } from './lib/cbor-encode.ts';
export { cborKind } from './lib/cbor-kind.ts';
export { MAXIMUM_CBOR_DEPTH, MAXIMUM_CBOR_ENTRIES } from './lib/cbor-well-formed.ts';
export { type ContentType, negotiateContentType, parseContentType } from './lib/content-type.ts';
export { DecodeError, type DecodeErrorKind } from './lib/decode-error.ts';
export { type DocumentLimits, MAXIMUM_DOCUMENT_VALUES } from './lib/document-limits.ts';
export {
  decodeProtobufEvent,
  type EncodedWatchEvent,
  frameCborEvent,
  frameJsonEvent,
  frameProtobufEvent,
  MAXIMUM_FRAME_BYTES,
  readCborItems,
  readFrames,
  readLines,
} from './lib/framing.ts';
export { callForJson } from './lib/json-call.ts';
export {
  type DecodedJson,
  decodeJson,
  decodeJsonSteps,
  type JsonDecodeOptions,
  requireJsonLimits,
} from './lib/json-decode.ts';
export { encodeJson, encodeJsonText, type JsonEncodeOptions } from './lib/json-encode.ts';
export type { WholeDecimal } from './lib/json-parser.ts';
export { listSchema } from './lib/list-schema.ts';
export {
  CBOR_MEDIA_TYPE,
  CBOR_SEQUENCE_MEDIA_TYPE,
  JSON_MEDIA_TYPE,
  mediaTypeNames,
  type OptionalEncodings,
  objectMediaTypes,
  type ServedMediaType,
  watchMediaTypeNames,
  YAML_MEDIA_TYPE,
} from './lib/media-types.ts';
export { metaKindSchema } from './lib/meta-kind-schema.ts';
export {
  type MediaTypeTransform,
  type NegotiatedMediaType,
  negotiateAccept,
  negotiateWatch,
  notAcceptable,
  objectTransforms,
  plainOnly,
  type TransformRule,
} from './lib/negotiation.ts';
export { compileProtobuf, type ProtobufCodec } from './lib/protobuf.ts';
export {
  decodeEnvelope,
  type EnvelopeFrame,
  encodeEnvelope,
  envelopeFrame,
  type ProtobufEnvelope,
} from './lib/protobuf-envelope.ts';
export {
  type ProtobufListHead,
  protobufItemMessage,
  protobufListFrame,
  protobufListItem,
} from './lib/protobuf-list.ts';
export { checkRouteAccept, routeMediaTypes } from './lib/route-accept.ts';
export {
  type BodyDecodeOptions,
  cborSerializer,
  createProtobufSerializer,
  type DecodedBody,
  jsonSerializer,
  type SchemaLookup,
  type Serializer,
  serializersByMediaType,
  yamlSerializer,
} from './lib/serializer.ts';
export {
  type BodyKind,
  bodyKind,
  requireKind,
  unreadableKind,
  unrecognizedBody,
} from './lib/unrecognized-body.ts';
export { byteString, byteStringText, decodeUtf8, encodeUtf8 } from './lib/utf8.ts';
export { MAXIMUM_YAML_DEPTH } from './lib/yaml-composer.ts';
export { type DecodedYaml, decodeYaml, decodeYamlSteps, type YamlDecodeOptions } from './lib/yaml-decode.ts';
export { encodeYaml, encodeYamlText } from './lib/yaml-encode.ts';
