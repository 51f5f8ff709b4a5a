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

/** The shape of the result, which decides which views are possible. */
export type AnswerShape = 'object' | 'list' | 'watch';

/**
 * Negotiates the format of a response (semantics/encodings#accept, semantics/tables#negotiation).
 * @throws StatusError 406
 */
export function negotiateResponse(
  scope: RequestScope,
  served: ServedResource,
  shape: AnswerShape,
): Representation {
  const accept = scope.request.headers.get('accept');
  const pretty = isPretty(scope.request, scope.info.query);
  if (acceptsJson(accept)) return pretty ? prettyJson : plainJson;
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
 * Checks the Accept header of built-in types before anything else: it must name a format that the route produces (semantics/encodings#accept).
 * @throws StatusError 406
 */
export function requireRoutableAccept(
  { request }: RequestScope,
  { routes, mediaTypes }: ServedResource,
  shape: AnswerShape,
): void {
  const accept = request.headers.get('accept');
  if (acceptsJson(accept) || routes !== 'built-in') return;
  const collectionGet = shape !== 'object' && request.method === 'GET';
  const refused = checkRouteAccept(accept, mediaTypes.types, collectionGet);
  if (refused) throw refused;
}

/** Whether the header is one of those that nearly all clients send. */
function acceptsJson(accept: string | undefined): accept is undefined | '' {
  return accept === JSON_MEDIA_TYPE || !accept || accept === '*/*';
}

/**
 * Negotiates the format of an error; indented JSON if the client accepts none.
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
  if (acceptsJson(accept)) return pretty ? prettyJson : plainJson;
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

/** Returns the media type of a watch. */
function streamOf(mediaType: string): string {
  if (mediaType === JSON_MEDIA_TYPE) return mediaType;
  return mediaType === CBOR_MEDIA_TYPE ? CBOR_SEQUENCE_MEDIA_TYPE : `${mediaType};stream=watch`;
}

/**
 * Checks that a view fits the result: lists have no view of one object, and objects none of lists.
 * @throws StatusError 406
 */
export function requireFittingView(
  transform: Transform | undefined,
  shape: AnswerShape,
  { definition }: ServedResource,
): void {
  if (transform?.as === 'PartialObjectMetadata' && shape === 'list') {
    throw notAcceptableView(
      `you requested PartialObjectMetadata, but the requested object is a list (${goType(definition, true)})`,
    );
  }
  if (transform?.as === 'PartialObjectMetadataList' && shape !== 'list') {
    throw notAcceptableView(
      `you requested PartialObjectMetadataList, but the requested object is not a list (${goType(definition, false)})`,
    );
  }
}

/** Returns the Go type of the result on the reference server. */
function goType({ dialect, group, names }: ResourceDefinition, isList: boolean): string {
  if (dialect === 'custom') return `*unstructured.Unstructured${isList ? 'List' : ''}`;
  const folder = group === '' ? 'core' : group.split('.')[0];
  return `*${folder}.${isList ? names.listKind : names.kind}`;
}

const notAcceptableView = (message: string): StatusError =>
  new StatusError({ code: 406, reason: 'NotAcceptable', message });

/** Whether to indent JSON: by the parameter `pretty`, or by default for interactive user agents (semantics/verbs#options). */
export function isPretty(request: ServerRequest, query: Query): boolean {
  const asked = query.get('pretty');
  if (asked !== undefined) return asked === 'true' || asked === '1';
  const agent = request.headers.get('user-agent');
  return agent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(agent);
}
