import type { Vocabulary } from '@ashlar/core';

/** JSON objects; the default of every endpoint. */
export const JSON_MEDIA_TYPE: string = 'application/json';
/** YAML objects. */
export const YAML_MEDIA_TYPE: string = 'application/yaml';

/** A media type that an endpoint sends and reads. */
export interface ServedMediaType {
  /** In lower case, without parameters. */
  readonly mediaType: string;
  /** What watches are called in refusals, where the type can be streamed: `application/json;stream=watch`. */
  readonly watch?: string;
}

/** The types of objects in the order that answers name them (semantics I1): JSON, YAML, Protobuf. */
export function objectMediaTypes(vocabulary: Vocabulary): readonly ServedMediaType[] {
  return [streamed(JSON_MEDIA_TYPE), { mediaType: YAML_MEDIA_TYPE }, streamed(vocabulary.protobufMediaType)];
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
