import type { Vocabulary } from '@ashlar/core';

/** JSON objects; the default of every endpoint. */
export const JSON_MEDIA_TYPE: string = 'application/json';
/** YAML objects. */
export const YAML_MEDIA_TYPE: string = 'application/yaml';

/** Objects in CBOR, if the server supports it. */
export const CBOR_MEDIA_TYPE: string = 'application/cbor';
/** Watches in CBOR: a sequence of data items (RFC 8742). */
export const CBOR_SEQUENCE_MEDIA_TYPE: string = 'application/cbor-seq';

/** A media type that an endpoint sends and reads. */
export interface ServedMediaType {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** Name of the streaming media type in errors, if the type can be streamed: `application/json;stream=watch`. */
  readonly watch?: string;
}

/** Optional encodings of a server. */
export interface OptionalEncodings {
  readonly cbor?: boolean;
}

/**
 * The media types of objects in the order of error messages (semantics/encodings#media-types): JSON, YAML,
 * Protobuf, and optionally CBOR.
 */
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
