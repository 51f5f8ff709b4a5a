import type { ServerRequest } from '@ashlar/core';
import type { RequestScope } from '../pipeline/request-scope.ts';

/** Labels of most metrics of requests, in the order of {@link RequestLabels.values}. */
export const REQUEST_LABELS: readonly string[] = [
  'verb',
  'group',
  'version',
  'resource',
  'subresource',
  'scope',
  'component',
];

/** How a request is labelled. */
export interface RequestLabels {
  readonly values: readonly string[];
  readonly dryRun: string;
}

const VERBS: Readonly<Record<string, string>> = {
  create: 'POST',
  update: 'PUT',
  get: 'GET',
  list: 'LIST',
  watch: 'WATCH',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
  // methods of paths that are no resources
  head: 'GET',
  post: 'POST',
  put: 'PUT',
};

/** Subresources that callers are connected to, whatever their method. */
const CONNECTIONS: ReadonlySet<string> = new Set(['log', 'exec', 'portforward', 'attach', 'proxy']);

/** Returns a key of everything that the labels of one resource depend on, without a new text for most requests. */
export function labelsKey({ info, request, types }: RequestScope): string {
  const { verb, name, subresource, isResourceRequest } = info;
  const dryRun = dryRunOf(info);
  const isServed = isResourceRequest && types !== undefined;
  const known = isServed || verb in VERBS ? verb : '';
  const isApplied = isApply(verb, request);
  if (isServed && name !== '' && subresource === '' && dryRun === '' && !isApplied) return known;
  return `${isResourceRequest} ${scopeOf(info)} ${known} ${dryRun} ${isApplied} ${isServed ? subresource : ''}`;
}

/** Returns the labels of a request (semantics/discovery#metrics). */
export function requestLabels({ info, request, types }: RequestScope): RequestLabels {
  // clients choose the names of resources that are not served: as labels they would be unlimited
  const isServed = info.isResourceRequest && types !== undefined;
  const values = [
    isServed && CONNECTIONS.has(info.subresource) ? 'CONNECT' : verbOf(info.verb, request),
    ...(isServed ? [info.apiGroup, info.apiVersion, info.resource, info.subresource] : ['', '', '', '']),
    scopeOf(info),
    'apiserver',
  ];
  return { values, dryRun: dryRunOf(info) };
}

const verbOf = (verb: string, request: ServerRequest): string =>
  isApply(verb, request) ? 'APPLY' : (VERBS[verb] ?? 'other');

type RequestInfo = RequestScope['info'];

/** How much a request is about; what is created counts as one object. */
function scopeOf({ isResourceRequest, verb, name, inNamespace }: RequestInfo): string {
  if (!isResourceRequest) return '';
  if (name !== '' || verb === 'create') return 'resource';
  return inNamespace ? 'namespace' : 'cluster';
}

function dryRunOf({ query }: RequestInfo): string {
  if (!query.has('dryRun')) return '';
  const values = query.all('dryRun').filter((value) => value !== '');
  if (values.length === 0) return '';
  return values.every((value) => value === 'All') ? 'All' : 'invalid';
}

function isApply(verb: string, { headers }: ServerRequest): boolean {
  return verb === 'patch' && headers.get('content-type')?.includes('apply-patch') === true;
}
