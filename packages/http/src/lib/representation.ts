import { encodeJson, yamlSerializer } from '@ashlar/codec';
import type { JsonObject, JsonValue } from '@ashlar/core';

/** Views of an object that a client may ask for instead of the object (semantics E). */
export interface Transform {
  readonly as: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Version of the meta group in which the view is written. */
  readonly version: 'v1' | 'v1beta1';
}

/** How an answer is written. */
export interface Representation {
  readonly format: 'json' | 'yaml' | 'protobuf';
  /** As the Content-Type header tells it. */
  readonly contentType: string;
  readonly transform?: Transform | undefined;
  /** JSON with line breaks and indents of two blanks. */
  readonly pretty: boolean;
}

export const plainJson: Representation = { format: 'json', contentType: 'application/json', pretty: false };
export const prettyJson: Representation = { ...plainJson, pretty: true };

/** A value in JSON or YAML, with a line break behind it. */
export function encodeText(value: JsonValue, { format, pretty }: Representation): Uint8Array {
  return format === 'yaml'
    ? yamlSerializer.encode(value as JsonObject)
    : encodeJson(value, { pretty, newline: true });
}
