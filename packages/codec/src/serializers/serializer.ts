import {
  goQuote,
  type JsonObject,
  type JsonValue,
  runAtOnce,
  type Schema,
  type Steps,
  type Vocabulary,
} from '@ashlar/core';
import { decodeCborBody, selfDescribed } from '../cbor/cbor.ts';
import { encodeCbor } from '../cbor/cbor-encode.ts';
import { type DecodedJson, decodeJsonSteps, type JsonDecodeOptions } from '../json/json-decode.ts';
import { encodeJson } from '../json/json-encode.ts';
import { CBOR_MEDIA_TYPE, JSON_MEDIA_TYPE, YAML_MEDIA_TYPE } from '../negotiation/media-types.ts';
import { metaKindSchema } from '../protobuf/meta-kind-schema.ts';
import { compileProtobuf, type ProtobufCodec } from '../protobuf/protobuf.ts';
import { decodeEnvelope, encodeEnvelope } from '../protobuf/protobuf-envelope.ts';
import { decodeYamlSteps } from '../yaml/yaml-decode.ts';
import { encodeYaml } from '../yaml/yaml-encode.ts';
import { DecodeError } from './decode-error.ts';
import { unreadableKind } from './unrecognized-body.ts';

/** A decoded body and the findings of strict decoding. */
export interface DecodedBody {
  readonly value: JsonValue;
  /**
   * Findings as an error lists them, `duplicate field "spec.x"` (semantics/schemas#strictness); empty unless
   * requested.
   */
  readonly strictErrors: readonly string[];
  /** The same as warnings list them, one each. */
  readonly strictWarnings: readonly string[];
  readonly integerDecimals: DecodedJson['integerDecimals'];
}

/** What to report in addition to the value; see {@link JsonDecodeOptions}. */
export interface BodyDecodeOptions extends Omit<JsonDecodeOptions, 'duplicates'> {
  /** List what strict decoding rejects. */
  readonly strict?: boolean;
}

/** One encoding of complete objects, lists and Status. */
export interface Serializer {
  readonly mediaType: string;
  /** @throws TypeError if the encoding cannot represent the object */
  encode(object: JsonObject, options?: { readonly pretty?: boolean }): Uint8Array;
  /** @throws DecodeError whose message belongs into {@link unrecognizedBody} */
  decode(bytes: Uint8Array, options?: BodyDecodeOptions): DecodedBody;
  /** As `decode`, with pauses, for large bodies. */
  decodeSteps(bytes: Uint8Array, options?: BodyDecodeOptions): Steps<DecodedBody>;
}

/** JSON with a newline at its end (semantics/encodings#json). */
export const jsonSerializer: Serializer = {
  mediaType: JSON_MEDIA_TYPE,
  encode: (object, options) => encodeJson(object, { newline: true, pretty: options?.pretty === true }),
  decode: (bytes, options) => runAtOnce(jsonSerializer.decodeSteps(bytes, options)),
  *decodeSteps(bytes, { strict, ...options } = {}) {
    try {
      const { value, duplicates, integerDecimals } = yield* decodeJsonSteps(bytes, {
        ...options,
        ...(strict && { duplicates: 'report' as const }),
      });
      const strictErrors = duplicates.map((path) => `duplicate field ${goQuote(path)}`);
      return { value, strictErrors, strictWarnings: strictErrors, integerDecimals };
    } catch (error) {
      throw error instanceof DecodeError ? new DecodeError(unreadableKind(error.message), error) : error;
    }
  },
};

/** YAML 1.1 (semantics/encodings#yaml). */
export const yamlSerializer: Serializer = {
  mediaType: YAML_MEDIA_TYPE,
  encode: (object) => encodeYaml(object),
  decode: (bytes, options) => runAtOnce(yamlSerializer.decodeSteps(bytes, options)),
  *decodeSteps(bytes, { strict, ...limits } = {}) {
    const { value, duplicates } = yield* decodeYamlSteps(bytes, limits);
    const strictWarnings = strict ? duplicates : [];
    const strictErrors =
      strictWarnings.length > 0 ? [`yaml: unmarshal errors:\n  ${strictWarnings.join('\n  ')}`] : [];
    return { value, strictErrors, strictWarnings, integerDecimals: [] };
  },
};

/** CBOR with the self-describing tag (semantics/encodings#cbor). Repeated keys are rejected, strict or not. */
export const cborSerializer: Serializer = {
  mediaType: CBOR_MEDIA_TYPE,
  encode: (object) => selfDescribed(encodeCbor(object)),
  decode: (bytes, options) => runAtOnce(cborSerializer.decodeSteps(bytes, options)),
  *decodeSteps(bytes, options) {
    return { value: yield* decodeCborBody(bytes, options), ...NOTHING_STRICT };
  },
};

/** Finds the schema of a kind; undefined if the kind has no Protobuf form. */
export type SchemaLookup = (apiVersion: string, kind: string) => Schema | undefined;

/**
 * Protobuf in envelopes (semantics/encodings#protobuf). Kinds of every endpoint (Status, DeleteOptions, PartialObjectMetadata) need no lookup.
 * @example
 * const serializer = createProtobufSerializer(vocabulary, (apiVersion, kind) => schemas.get(`${apiVersion} ${kind}`));
 */
export function createProtobufSerializer(vocabulary: Vocabulary, schemaOf: SchemaLookup): Serializer {
  const codecs = new WeakMap<Schema, ProtobufCodec>();
  const codecOf = (apiVersion: string, kind: string): ProtobufCodec | undefined => {
    const schema = metaKindSchema(vocabulary, apiVersion, kind) ?? schemaOf(apiVersion, kind);
    if (!schema) return undefined;
    const codec = codecs.get(schema) ?? compileProtobuf(schema);
    codecs.set(schema, codec);
    return codec;
  };
  function* decodeSteps(bytes: Uint8Array, options?: BodyDecodeOptions): Steps<DecodedBody> {
    const { apiVersion, kind, raw } = decodeEnvelope(bytes);
    const codec = codecOf(apiVersion, kind);
    if (!codec)
      throw new DecodeError(`no kind ${goQuote(kind)} is registered for version ${goQuote(apiVersion)}`);
    const object = yield* codec.decodeSteps(raw, options);
    return { value: { kind, apiVersion, ...object }, ...NOTHING_STRICT };
  }
  return {
    mediaType: vocabulary.protobufMediaType,
    encode(object) {
      const { apiVersion = '', kind = '' } = object as { apiVersion?: string; kind?: string };
      const codec = codecOf(apiVersion, kind);
      if (!codec) throw new TypeError(`${apiVersion} ${kind} has no Protobuf form`);
      return encodeEnvelope({ apiVersion, kind, raw: codec.encode(object) });
    },
    decode: (bytes, options) => runAtOnce(decodeSteps(bytes, options)),
    decodeSteps,
  };
}

const NOTHING_STRICT = { strictErrors: [], strictWarnings: [], integerDecimals: [] } as const;
