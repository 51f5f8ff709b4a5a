import { cborSerializer, encodeJson, encodeJsonSteps, encodeYamlSteps, yamlSerializer } from '@ashlar/codec';
import { type JsonObject, type JsonValue, StatusError, type Steps } from '@ashlar/core';

/** Views of an object that a client may ask for instead of the object (semantics/tables). */
export interface Transform {
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Version of the meta group in which the view is written. */
  readonly version: 'v1' | 'v1beta1';
}

/** How an answer is written. */
export interface Representation {
  readonly format: 'json' | 'yaml' | 'protobuf' | 'cbor';
  /** As the Content-Type header tells it. */
  readonly contentType: string;
  readonly transform?: Transform | undefined;
  /** JSON with line breaks and indents of two blanks. */
  readonly pretty: boolean;
}

export const plainJson: Representation = { format: 'json', contentType: 'application/json', pretty: false };
export const prettyJson: Representation = { ...plainJson, pretty: true };

/**
 * A value without a type in JSON or YAML, with a line break behind it unless it is indented JSON, or in CBOR.
 * @throws StatusError 406 where it is nested deeper than YAML is written
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

/** As {@link encodeText}, with pauses in JSON and YAML. */
export function* encodeTextSteps(value: JsonValue, representation: Representation): Steps<Uint8Array> {
  const { format, pretty } = representation;
  if (format === 'cbor') return encodeText(value, representation);
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
