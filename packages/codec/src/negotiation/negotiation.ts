import { metaGroup, StatusError, type Vocabulary } from '@ashlar/core';
import { type AcceptClause, parseAccept } from './accept-header.ts';
import {
  JSON_MEDIA_TYPE,
  mediaTypeNames,
  type ServedMediaType,
  watchMediaTypeNames,
  YAML_MEDIA_TYPE,
} from './media-types.ts';

/** The requested transform: `as`, `g` and `v` of an Accept clause. */
export interface MediaTypeTransform {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The negotiated form of a response. */
export interface NegotiatedMediaType {
  readonly mediaType: string;
  readonly transform?: MediaTypeTransform;
  /** The clause requests a stream; only `watch` exists. */
  readonly stream?: 'watch';
  readonly pretty?: boolean;
  /** The clause requests to omit fields that the server sets. The reference server ignores it. */
  readonly exportForm?: boolean;
}

/** Whether an endpoint supports a media type with a transform, or without one. */
export type TransformRule = (mediaType: string, transform: MediaTypeTransform | undefined) => boolean;

/** Endpoints without transforms: discovery, errors after the route matched. */
export const plainOnly: TransformRule = (_mediaType, transform) => transform === undefined;

const VERSIONS: readonly string[] = ['v1', 'v1beta1'];

/**
 * The rule of objects (semantics/tables#negotiation): `Table` in JSON and YAML, `PartialObjectMetadata` and
 * its list in every type.
 * @param options `table` false if the kind has no table; `protobuf` `'transforms-only'` for custom resources,
 * which support only PartialObjectMetadata in Protobuf
 */
export function objectTransforms(
  vocabulary: Vocabulary,
  options: { readonly table?: boolean; readonly protobuf?: 'transforms-only' } = {},
): TransformRule {
  const group = metaGroup(vocabulary);
  return (mediaType, transform) => {
    if (!transform)
      return mediaType !== vocabulary.protobufMediaType || options.protobuf !== 'transforms-only';
    if (transform.group !== group || !VERSIONS.includes(transform.version)) return false;
    if (transform.kind === 'Table')
      return options.table !== false && (mediaType === JSON_MEDIA_TYPE || mediaType === YAML_MEDIA_TYPE);
    return transform.kind === 'PartialObjectMetadata' || transform.kind === 'PartialObjectMetadataList';
  };
}

/**
 * Negotiates the media type of a response (semantics/encodings#accept). A clause whose transform or stream
 * the endpoint does not support is skipped.
 * @param header the first Accept line; undefined or empty selects the first supported type
 * @param serverVersion the only version for `sv`; without it no clause with `sv` matches
 * @returns null if no clause matches: 406, see {@link notAcceptable}
 * @example
 * negotiateAccept('application/yaml, *\/*;q=0.5', objectMediaTypes(vocabulary), plainOnly); // { mediaType:
 * 'application/yaml' }
 */
export function negotiateAccept(
  header: string | undefined,
  served: readonly ServedMediaType[],
  allows: TransformRule,
  serverVersion?: string,
): NegotiatedMediaType | null {
  const first = served[0];
  if (!header) return first ? { mediaType: first.mediaType } : null;
  for (const clause of parseAccept(header)) {
    for (const type of served) {
      const negotiated = matches(clause, type.mediaType)
        ? accept(clause, type, allows, serverVersion)
        : undefined;
      if (negotiated) return negotiated;
    }
  }
  return null;
}

/**
 * As {@link negotiateAccept} for a watch: the selected type must support streaming, later types are not
 * tried.
 */
export function negotiateWatch(
  header: string | undefined,
  served: readonly ServedMediaType[],
  allows: TransformRule,
  serverVersion?: string,
): NegotiatedMediaType | null {
  const negotiated = negotiateAccept(header, served, allows, serverVersion);
  const type = served.find(({ mediaType }) => mediaType === negotiated?.mediaType);
  return type?.watch === undefined ? null : negotiated;
}

/** The 406 of an endpoint; of a watch it names the streaming forms. */
export function notAcceptable(served: readonly ServedMediaType[], watch = false): StatusError {
  return StatusError.notAcceptable(watch ? watchMediaTypeNames(served) : mediaTypeNames(served));
}

function matches({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === '*') return subtype === '*';
  return mediaType === `${type}/${subtype}` || (subtype === '*' && mediaType.startsWith(`${type}/`));
}

function accept(
  { parameters }: AcceptClause,
  type: ServedMediaType,
  allows: TransformRule,
  serverVersion: string | undefined,
): NegotiatedMediaType | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && (type.watch === undefined || stream !== 'watch')) return undefined;
  if (parameters.has('sv') && parameters.get('sv') !== serverVersion) return undefined;
  const transform = transformOf(parameters);
  if (!allows(type.mediaType, transform)) return undefined;
  return {
    mediaType: type.mediaType,
    ...(transform && { transform }),
    ...(stream !== undefined && { stream: 'watch' as const }),
    ...(parameters.get('pretty') === '1' && { pretty: true }),
    ...(parameters.get('export') === '1' && { exportForm: true }),
  };
}

function transformOf(parameters: ReadonlyMap<string, string>): MediaTypeTransform | undefined {
  const [kind, group, version] = ['as', 'g', 'v'].map((name) => parameters.get(name));
  if (kind === undefined && group === undefined && version === undefined) return undefined;
  return { group: group ?? '', version: version ?? '', kind: kind ?? '' };
}
