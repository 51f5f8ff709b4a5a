import {
  CBOR_MEDIA_TYPE,
  CBOR_SEQUENCE_MEDIA_TYPE,
  checkRouteAccept,
  JSON_MEDIA_TYPE,
  type NegotiatedMediaType,
  negotiateAccept,
  negotiateWatch,
  notAcceptable,
  objectMediaTypes,
  plainOnly,
  type ServedMediaType,
  YAML_MEDIA_TYPE,
} from '@ashlar/codec';
import { type ServerRequest, StatusError, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { Query } from '../request/query.ts';
import { plainJson, prettyJson, type Representation, type Transform } from './representation.ts';

/** The one version that `sv` may name (semantics/encodings#accept). */
const META_VERSION = 'v1';

/** What is asked for decides which views fit it. */
export type AnswerShape = 'object' | 'list' | 'watch';

/**
 * Chooses how a request for a resource is answered (semantics/encodings#accept, semantics/tables#negotiation).
 * @throws StatusError 406
 */
export function negotiateResponse(
  scope: RequestScope,
  served: ServedResource,
  shape: AnswerShape,
): Representation {
  const accept = scope.request.headers.get('accept');
  const pretty = isPretty(scope.request, scope.info.query);
  if (takesAnyJson(accept)) return pretty ? prettyJson : plainJson;
  requireRoutableAccept(scope, served, shape);
  const { types, transforms } = served.mediaTypes;
  const watch = shape === 'watch';
  const chosen = negotiateAccept(accept, types, transforms, META_VERSION);
  if (!chosen) throw notAcceptable(types);
  if (watch && !negotiateWatch(accept, types, transforms, META_VERSION)) throw notAcceptable(types, watch);
  const representation = representationOf(chosen, pretty, watch);
  if (watch || scope.request.method !== 'GET') requireFittingView(representation.transform, shape, served);
  return representation;
}

/**
 * What built-in types ask of the header before all else: that it names a form which the route sends (semantics/encodings#accept).
 * @throws StatusError 406
 */
export function requireRoutableAccept(
  { request }: RequestScope,
  { routes, mediaTypes }: ServedResource,
  shape: AnswerShape,
): void {
  const accept = request.headers.get('accept');
  if (takesAnyJson(accept) || routes !== 'built-in') return;
  const collectionGet = shape !== 'object' && request.method === 'GET';
  const refused = checkRouteAccept(accept, mediaTypes.types, collectionGet);
  if (refused) throw refused;
}

/** The headers of nearly all callers. */
function takesAnyJson(accept: string | undefined): accept is undefined | '' {
  return accept === JSON_MEDIA_TYPE || !accept || accept === '*/*';
}

/**
 * The form in which a failure is told; a caller who accepts none of them gets indented JSON.
 * @param types those of the resource, where one was found
 */
export function negotiateFailure(
  request: ServerRequest,
  query: Query | undefined,
  vocabulary: Vocabulary,
  types?: readonly ServedMediaType[],
): Representation {
  const accept = request.headers.get('accept');
  const pretty = query !== undefined && isPretty(request, query);
  if (takesAnyJson(accept)) return pretty ? prettyJson : plainJson;
  const chosen = negotiateAccept(accept, types ?? objectMediaTypes(vocabulary), plainOnly);
  return chosen ? representationOf(chosen, pretty, false) : prettyJson;
}

function representationOf(
  { mediaType, transform, pretty }: NegotiatedMediaType,
  asked: boolean,
  watch: boolean,
): Representation {
  const format = FORMATS.get(mediaType) ?? 'protobuf';
  return {
    format,
    contentType: watch ? streamOf(mediaType) : mediaType,
    pretty: (asked || pretty === true) && !watch,
    ...(transform && { transform: { as: transform.kind, version: transform.version } as Transform }),
  };
}

const FORMATS: ReadonlyMap<string, Representation['format']> = new Map([
  [JSON_MEDIA_TYPE, 'json'],
  [YAML_MEDIA_TYPE, 'yaml'],
  [CBOR_MEDIA_TYPE, 'cbor'],
]);

/** How a watch in a type is called. */
function streamOf(mediaType: string): string {
  if (mediaType === JSON_MEDIA_TYPE) return mediaType;
  return mediaType === CBOR_MEDIA_TYPE ? CBOR_SEQUENCE_MEDIA_TYPE : `${mediaType};stream=watch`;
}

/**
 * Lists have no view of one object, and one object none of lists. Reads are refused with what was read, writes before they happen.
 * @throws StatusError 406
 */
export function requireFittingView(
  transform: Transform | undefined,
  shape: AnswerShape,
  { definition }: ServedResource,
): void {
  if (transform?.as === 'PartialObjectMetadata' && shape === 'list') {
    throw misfit(
      `you requested PartialObjectMetadata, but the requested object is a list (${goType(definition, true)})`,
    );
  }
  if (transform?.as === 'PartialObjectMetadataList' && shape !== 'list') {
    throw misfit(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(definition, false)})`,
    );
  }
}

/** How the reference calls what it was about to answer. */
function goType({ dialect, group, names }: ResourceDefinition, isList: boolean): string {
  if (dialect === 'custom') return `*unstructured.Unstructured${isList ? 'List' : ''}`;
  const folder = group === '' ? 'core' : group.split('.')[0];
  return `*${folder}.${isList ? names.listKind : names.kind}`;
}

const misfit = (message: string): StatusError =>
  new StatusError({ code: 406, reason: 'NotAcceptable', message });

/** Asked for by `pretty`, and where that is absent by the agents that people type into (semantics/verbs#options). */
export function isPretty(request: ServerRequest, query: Query): boolean {
  const asked = query.get('pretty');
  if (asked !== undefined) return asked === 'true' || asked === '1';
  const agent = request.headers.get('user-agent');
  return agent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(agent);
}
