import {
  cborSerializer,
  encodeJson,
  encodeJsonSteps,
  encodeYamlSteps,
  plainCbor,
  selfDescribed,
  yamlSerializer,
} from '@ashlar/codec';
import { type JsonObject, type JsonValue, StatusError, type Steps } from '@ashlar/core';

/** A view that a client requests instead of the object (semantics/tables). */
export interface Transform {
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Version of the meta group for the view. */
  readonly version: 'v1' | 'v1beta1';
}

/** The format of a response. */
export interface Representation {
  readonly format: 'json' | 'yaml' | 'protobuf' | 'cbor';
  /** Value of the Content-Type header. */
  readonly contentType: string;
  readonly transform?: Transform | undefined;
  /** Whether JSON is indented by two spaces. */
  readonly pretty: boolean;
  /** Whether the result of a write cannot be shown in the requested view: such a write changes nothing. */
  readonly isUnfit?: boolean;
}

export const plainJson: Representation = { format: 'json', contentType: 'application/json', pretty: false };
export const prettyJson: Representation = { ...plainJson, pretty: true };

/**
 * Encodes an untyped value in JSON or YAML, with a final line break except for indented JSON, or in CBOR.
 * @throws StatusError 406 if it is nested too deeply for YAML
 */
export function encodeText(value: JsonValue, { format, pretty }: Representation): Uint8Array {
  if (format === 'cbor') return cborSerializer.encode(value as JsonObject);
  if (format !== 'yaml') return encodeJson(value, { pretty, newline: !pretty });
  try {
    return yamlSerializer.encode(value as JsonObject);
  } catch (error) {
    throw notWritable(error);
  }
}

/** As {@link encodeText}, with pauses. */
export function* encodeTextSteps(value: JsonValue, representation: Representation): Steps<Uint8Array> {
  const { format, pretty } = representation;
  if (format === 'cbor') return selfDescribed(yield* plainCbor.encodeSteps(value as JsonObject));
  if (format !== 'yaml') return yield* encodeJsonSteps(value, { pretty, newline: !pretty });
  try {
    return yield* encodeYamlSteps(value);
  } catch (error) {
    throw notWritable(error);
  }
}

function notWritable(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  return new StatusError({ code: 406, reason: 'NotAcceptable', message: error.message }, error);
}
