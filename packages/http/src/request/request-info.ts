import { toHtmlEntities } from '@ashlar/authz';
import { goQuote, ParseError, parseFieldSelector, pathSegmentErrors } from '@ashlar/core';
import { PlainTextError } from '../pipeline/plain-text-error.ts';
import { Query, queryOf } from './query.ts';

/** The verb and resource of a request, parsed from its method, path and query. */
export interface RequestInfo {
  readonly path: string;
  readonly query: Query;
  readonly isResourceRequest: boolean;
  /** `get`, `list`, `watch`, `create`, `update`, `patch`, `delete`, `deletecollection`; the method in lower case if it is not for a resource. Empty for methods that resources do not support. */
  readonly verb: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly namespace: string;
  /** Whether the path is below a namespace; the path of a namespace itself is not. */
  readonly inNamespace: boolean;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Whether the path names an object, not only a selector; not in the deprecated form of watches. */
  readonly isObjectPath: boolean;
  /** The verb that a path of the deprecated form begins with: `watch`, `proxy`; empty for other paths. */
  readonly pathVerb: string;
  /** Path segments after the subresource. */
  readonly rest: readonly string[];
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
]);

/** Verbs that a path may begin with. */
const SPECIAL_VERBS: ReadonlyMap<string, string> = new Map([
  ['watch', 'watch'],
  ['proxy', 'proxy'],
]);

/** Subresources of a namespace; any other segment below a namespace is a resource in it. */
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/**
 * Parses method and target of a request (semantics/verbs#success-codes).
 * @throws URIError if the path has an invalid percent-encoding; PlainTextError 500 if it ends where a resource must follow
 */
export function parseRequestInfo(method: string, url: string): RequestInfo {
  const mark = url.indexOf('?');
  const rawPath = mark < 0 ? url : url.slice(0, mark);
  const path = rawPath.includes('%') ? decodeURIComponent(rawPath) : rawPath;
  const text = mark < 0 ? '' : url.slice(mark + 1);
  const query = url.length > SHORT ? new Query(text) : queryOf(text);
  const parts = partsOf(path);
  const group = groupOf(parts);
  if (group?.parts.length === 1 && SPECIAL_VERBS.has(group.parts[0] as string)) throw noKind(url);
  return group ? resourceInfo(method, path, query, group) : otherInfo(method, path, query);
}

/** Longest target whose query is remembered: its text keeps all of it in memory. */
const SHORT = 300;

/** Returns the error of a deprecated path that names no resource (semantics/status#situations). */
function noKind(url: string): PlainTextError {
  const why = `failed to create RequestInfo: unable to determine kind and namespace from url, ${url}`;
  return new PlainTextError(500, `${toHtmlEntities(`Internal Server Error: ${goQuote(url)}: ${why}`)}\n`);
}

/** Splits a path at its slashes, without those at its ends: a doubled slash within it is an empty segment, which nothing is served at. */
function partsOf(path: string): readonly string[] {
  let from = 0;
  let to = path.length;
  while (from < to && path.charCodeAt(from) === SLASH) from++;
  while (to > from && path.charCodeAt(to - 1) === SLASH) to--;
  const parts: string[] = [];
  while (from <= to) {
    const slash = path.indexOf('/', from);
    const end = slash < 0 || slash > to ? to : slash;
    parts.push(path.slice(from, end));
    from = end + 1;
  }
  return parts;
}

const SLASH = 47;

interface GroupPath {
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly parts: readonly string[];
}

/** Parses group and version of a path to a resource; undefined if the path is too short. */
function groupOf(parts: readonly string[]): GroupPath | undefined {
  const root = parts[0];
  if (root === 'api' && parts.length > 2)
    return { apiGroup: '', apiVersion: parts[1] as string, parts: parts.slice(2) };
  if (root === 'apis' && parts.length > 3)
    return { apiGroup: parts[1] as string, apiVersion: parts[2] as string, parts: parts.slice(3) };
  return undefined;
}

function otherInfo(method: string, path: string, query: Query): RequestInfo {
  const verb = method.toLowerCase();
  const none = {
    apiGroup: '',
    apiVersion: '',
    namespace: '',
    inNamespace: false,
    resource: '',
    subresource: '',
    name: '',
    isObjectPath: false,
    pathVerb: '',
    rest: [],
  };
  return { path, query, isResourceRequest: false, verb, ...none };
}

function resourceInfo(
  method: string,
  path: string,
  query: Query,
  { apiGroup, apiVersion, parts }: GroupPath,
): RequestInfo {
  // the deprecated forms of watches and proxies: the segments after the verb are the path of the resource
  const special = SPECIAL_VERBS.get(parts[0] as string);
  const { namespace, inNamespace, own } = namespaceOf(special ? parts.slice(1) : parts);
  const resource = own[0] ?? '';
  const urlName = own[1] ?? '';
  const subresource = own[2] ?? '';
  const rest = own.length > 3 ? own.slice(3) : NOTHING;
  const verb = special ?? verbOf(method, urlName, subresource, query);
  const selects = urlName === '' && special === undefined && SELECTING.has(verb);
  const name = selects ? nameOfSelector(query.get('fieldSelector')) : urlName;
  return {
    path,
    query,
    isResourceRequest: true,
    verb,
    apiGroup,
    apiVersion,
    namespace,
    inNamespace,
    resource,
    subresource,
    name,
    isObjectPath: urlName !== '' && special === undefined,
    pathVerb: special ?? '',
    rest,
  };
}

interface NamespacePath extends Pick<RequestInfo, 'namespace' | 'inNamespace'> {
  readonly own: readonly string[];
}

/** Parses the namespace; requests for a namespace are in that namespace, too. */
function namespaceOf(parts: readonly string[]): NamespacePath {
  if (parts[0] !== 'namespaces' || parts.length < 2) return { namespace: '', inNamespace: false, own: parts };
  const namespace = parts[1] as string;
  const third = parts[2];
  const inNamespace = third !== undefined && !NAMESPACE_SUBRESOURCES.has(third);
  return { namespace, inNamespace, own: inNamespace ? parts.slice(2) : parts };
}

const NOTHING: readonly string[] = [];
const SELECTING = new Set(['list', 'watch']);

function verbOf(method: string, name: string, subresource: string, query: Query): string {
  const verb = VERBS.get(method) ?? '';
  // a subresource has nothing to watch
  if (verb === 'get' && subresource === '' && isTrue(query.get('watch'))) return 'watch';
  if (verb === 'get') return name === '' ? 'list' : 'get';
  return verb === 'delete' && name === '' ? 'deletecollection' : verb;
}

/** Absent, `0` and `false` in any case are false, every other value is true (semantics/verbs#options). */
export function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== '0' && value.toLowerCase() !== 'false';
}

/** Returns the name in a selector `metadata.name=x`: permissions for single names can then allow a list (semantics/list-and-watch#field-selectors). */
function nameOfSelector(selector: string | undefined): string {
  if (!selector?.includes('metadata.name')) return '';
  const name = exactName(selector);
  return pathSegmentErrors(name).length === 0 ? name : '';
}

/** Two required names are those of no object: the first may stand for both. */
function exactName(selector: string): string {
  try {
    return parseFieldSelector(selector).exactValue('metadata.name') ?? '';
  } catch (error) {
    if (ParseError.is(error)) return '';
    throw error;
  }
}

/** Requests that may take as long as they like: watches, the subresources that carry streams, and profiles (semantics/requests#time-limits). */
export function isLongRunning(info: RequestInfo): boolean {
  const { verb, subresource } = info;
  return verb === 'watch' || verb === 'proxy' || STREAMS.has(subresource) || isProfile(info);
}

/** Whether a profile of the program is requested. */
export function isProfile({ isResourceRequest, path }: RequestInfo): boolean {
  return !isResourceRequest && path.startsWith('/debug/pprof/');
}

const STREAMS = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);
