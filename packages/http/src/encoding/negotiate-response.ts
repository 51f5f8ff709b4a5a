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
  type TransformRule,
  YAML_MEDIA_TYPE,
} from '@ashlar/codec';
import { type ServerRequest, StatusError, type Vocabulary } from '@ashlar/core';
import type { ResourceDefinition } from '@ashlar/registry';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { RequestScope } from '../pipeline/request-scope.ts';
import type { Query } from '../request/query.ts';
import { WRITING_METHODS } from '../request/writing-methods.ts';
import { plainJson, prettyJson, type Representation, type Transform } from './representation.ts';

/** The one version that `sv` may name (semantics/encodings#accept). */
const META_VERSION = 'v1';

/** The shape of the result, which decides which views are possible. */
export type ResponseShape = 'object' | 'list' | 'watch';

/** Whether objects of a resource can be tables: those that are only created cannot, such as reviews. */
const hasTables = ({ storage: { create, get, list } }: ServedResource): boolean =>
  create === undefined || get !== undefined || list !== undefined;

/**
 * Negotiates the format of a response (semantics/encodings#accept, semantics/tables#negotiation).
 * @param allowsTables whether it may be a table: clauses that ask for one are skipped otherwise
 * @throws StatusError 406
 */
export function negotiateResponse(
  scope: RequestScope,
  served: ServedResource,
  shape: ResponseShape,
  allowsTables: boolean = hasTables(served),
): Representation {
  const accept = scope.request.headers.get('accept');
  const pretty = isPretty(scope.request, scope.info.query);
  if (acceptsJson(accept)) return pretty ? prettyJson : plainJson;
  requireRoutableAccept(scope, served, shape);
  const { types } = served.mediaTypes;
  const chosen = negotiateAccept(accept, types, transformsOf(served, allowsTables), META_VERSION);
  if (!chosen) throw notAcceptable(types);
  const representation = representationOf(chosen, pretty, false);
  return isFitting(representation.transform, shape) ? representation : { ...representation, isUnfit: true };
}

/**
 * Negotiates the format of a watch, first as that of a list. That it can be streamed is checked last, by {@link requireStreamable}.
 * @param allowsTables whether events may be tables: clauses that ask for them are skipped otherwise
 * @throws StatusError 406
 */
export function negotiateWatchResponse(
  scope: RequestScope,
  served: ServedResource,
  allowsTables: boolean,
): Representation {
  const accept = scope.request.headers.get('accept');
  const pretty = isPretty(scope.request, scope.info.query);
  if (acceptsJson(accept)) return pretty ? prettyJson : plainJson;
  requireRoutableAccept(scope, served, 'watch');
  const { types } = served.mediaTypes;
  const chosen = negotiateAccept(accept, types, transformsOf(served, allowsTables), META_VERSION);
  if (!chosen) throw notAcceptable(types);
  return representationOf(chosen, pretty, true);
}

function transformsOf({ mediaTypes: { transforms } }: ServedResource, allowsTables: boolean): TransformRule {
  if (allowsTables) return transforms;
  return (mediaType, transform) => transform?.kind !== 'Table' && transforms(mediaType, transform);
}

/**
 * Checks that a watch can be sent in its format, after its versions were found valid.
 * @throws StatusError 406
 */
export function requireStreamable({ request }: RequestScope, served: ServedResource): void {
  const accept = request.headers.get('accept');
  if (acceptsJson(accept)) return;
  const { types, transforms } = served.mediaTypes;
  if (!negotiateWatch(accept, types, transforms, META_VERSION)) throw notAcceptable(types, true);
}

/**
 * Checks the Accept header of built-in types before anything else: it must name a format that the route produces (semantics/encodings#accept).
 * The path of an object is never one of a stream.
 * @throws StatusError 406
 */
export function requireRoutableAccept(
  { request, info }: RequestScope,
  { routes, mediaTypes }: ServedResource,
  shape: ResponseShape,
): void {
  const accept = request.headers.get('accept');
  if (acceptsJson(accept) || routes !== 'built-in') return;
  const collectionGet = shape !== 'object' && request.method === 'GET' && !info.isObjectPath;
  const refused = checkRouteAccept(accept, mediaTypes.types, collectionGet);
  if (refused) throw withoutLength(request) ? unsupportedWithoutLength(refused) : refused;
}

/**
 * Checks the Accept header of a subresource that is read as text, such as the log of a pod: its route produces text, too, but the kind that
 * it reads has formats of objects only, and no columns.
 * @throws StatusError 406
 */
export function requireTextAccept({ request }: RequestScope, served: ServedResource): void {
  const accept = request.headers.get('accept');
  const { types } = served.mediaTypes;
  if (acceptsJson(accept) || served.routes !== 'built-in') return;
  const refused = checkRouteAccept(accept, [{ mediaType: 'text/plain' }, ...types], false);
  if (refused) throw refused;
  if (!negotiateAccept(accept, types, transformsOf(served, false), META_VERSION)) throw notAcceptable(types);
}

/** Whether a write says no length of its body, which is then taken for its fault (semantics/encodings#accept). */
function withoutLength({ method, headers }: ServerRequest): boolean {
  return WRITING_METHODS.has(method) && headers.get('content-length') === undefined;
}

function unsupportedWithoutLength({ message, details = {} }: StatusError): StatusError {
  const text = message.replace('406: Not Acceptable', '415: Unsupported Media Type');
  return new StatusError({ code: 415, reason: 'UnsupportedMediaType', message: text, details });
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
  prettyRequested: boolean,
  watch: boolean,
): Representation {
  const format = FORMATS.get(mediaType) ?? 'protobuf';
  return {
    format,
    contentType: watch ? streamOf(mediaType) : mediaType,
    pretty: (prettyRequested || pretty === true) && !watch,
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

/** Whether a view fits the result: lists have no view of one object, and objects none of lists. */
function isFitting(transform: Transform | undefined, shape: ResponseShape): boolean {
  return transform?.as !== (shape === 'list' ? 'PartialObjectMetadata' : 'PartialObjectMetadataList');
}

/**
 * Checks that a view fits the result, after all other errors.
 * @throws StatusError 406
 */
export function requireFittingView(
  transform: Transform | undefined,
  shape: ResponseShape,
  { definition }: ServedResource,
): void {
  if (isFitting(transform, shape)) return;
  const isList = shape === 'list';
  throw notAcceptableView(
    `you requested ${transform?.as}, but the requested object is ${isList ? 'a' : 'not a'} list (${goType(definition, isList)})`,
  );
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
  const parameter = query.get('pretty');
  if (parameter !== undefined) return parameter === 'true' || parameter === '1';
  const agent = request.headers.get('user-agent');
  return agent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(agent);
}
