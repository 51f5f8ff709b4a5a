import type { Vocabulary } from '@ashlar/core';

/** JSON objects; the default of every endpoint. */
export const JSON_MEDIA_TYPE: string = 'application/json';
/** YAML objects. */
export const YAML_MEDIA_TYPE: string = 'application/yaml';

/** Objects in CBOR, where the server has them. */
export const CBOR_MEDIA_TYPE: string = 'application/cbor';
/** Watches in CBOR: one data item behind the other (RFC 8742). */
export const CBOR_SEQUENCE_MEDIA_TYPE: string = 'application/cbor-seq';

/** A media type that an endpoint sends and reads. */
export interface ServedMediaType {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** Name of the streaming form in errors, where the type can be streamed: `application/json;stream=watch`. */
  readonly watch?: string;
}

/** Encodings that a server may have or not. */
export interface OptionalEncodings {
  readonly cbor?: boolean;
}

/** The types of objects in the order that answers name them (semantics/encodings#media-types): JSON, YAML, Protobuf, and CBOR where there is that. */
export function objectMediaTypes(
  vocabulary: Vocabulary,
  { cbor = false }: OptionalEncodings = {},
): readonly ServedMediaType[] {
  const types = [
    streamed(JSON_MEDIA_TYPE),
    { mediaType: YAML_MEDIA_TYPE },
    streamed(vocabulary.protobufMediaType),
  ];
  return cbor ? [...types, { mediaType: CBOR_MEDIA_TYPE, watch: CBOR_SEQUENCE_MEDIA_TYPE }] : types;
}

/** Names of the types for 406 and 415. */
export function mediaTypeNames(served: readonly ServedMediaType[]): string[] {
  return served.map(({ mediaType }) => mediaType);
}

/** Names of the streaming forms for the 406 of a watch. */
export function watchMediaTypeNames(served: readonly ServedMediaType[]): string[] {
  return served.flatMap(({ watch }) => watch ?? []);
}

function streamed(mediaType: string): ServedMediaType {
  return { mediaType, watch: `${mediaType};stream=watch` };
}
