import { andThen, type MaybePromise, orElse, runInSlices, StatusError, type Steps } from '@ashlar/core';
import type { ListOptions, ListResult, ObjectRecord } from '@ashlar/storage';
import type {
  ListRequest,
  ObjectList,
  RequestContext,
  ResultObject,
} from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { decodeContinueToken, encodeContinueToken } from './continue-token.ts';
import { listInPages } from './list-in-pages.ts';
import { compileSelection, type Paging, selectsOneKey } from './selection.ts';

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** Lists a collection, optionally paginated (semantics/list-and-watch#list). */
export function listObjects(
  resource: StoredResource,
  context: RequestContext,
  request: ListRequest,
): MaybePromise<ObjectList> {
  const reading = planRead(resource, context, request);
  const { prefix, select } = compileSelection(resource, context, request, reading.paging);
  const { options, limit } = reading;
  const { signal } = context;
  // a literal that begins with a spread has a hidden class of its own each time
  const range: ListOptions = Object.assign(
    {},
    options,
    limit !== undefined && { limit },
    select && { select },
    signal && { signal },
  );
  const read = (): MaybePromise<ObjectList> =>
    andThen(listInPages(resource, prefix, range), (page) => {
      const results = runInSlices(resultsOf(resource, context, page.records), resource.ambient);
      const toList = (items: readonly ResultObject[]): ObjectList =>
        listOf(resource, context, { items, ...page }, reading, select !== undefined);
      return andThen(results, toList);
    });
  return orElse(read, (error) =>
    request.continue && StatusError.is(error, 'Expired') ? tokenExpired(resource, prefix, reading) : error,
  );
}

interface Reading {
  readonly options: ListOptions;
  readonly limit: number | undefined;
  readonly paging: Paging;
}

/** Returns how to read a list, by the table in semantics/list-and-watch#list. */
function planRead(resource: StoredResource, context: RequestContext, request: ListRequest): Reading {
  const { resourceVersion: version, resourceVersionMatch: match } = request;
  const limit = request.limit && request.limit > 0 ? request.limit : undefined;
  const paging = limit !== undefined || request.continue !== undefined ? 'first page' : 'none';
  if (request.continue) {
    const prefix = resource.collection(context.namespace);
    const { after, revision } = decodeContinueToken(request.continue, prefix, resource.ambient.vocabulary);
    return { options: { after, ...(revision > 0 && { atRevision: revision }) }, limit, paging: 'next page' };
  }
  if (version === undefined) return { options: {}, limit, paging };
  if (version === 0) return { options: { notOlderThan: 0 }, limit: undefined, paging: 'none' };
  const isExact =
    match === 'Exact' ||
    (match === undefined && limit !== undefined && !selectsOneKey(resource, context, request));
  if (isExact) {
    return { options: { atRevision: version }, limit, paging };
  }
  // a page without a match is never read from a cache, which would wait
  const mustBeReached = limit !== undefined && match === undefined;
  return { options: { notOlderThan: version, ...(mustBeReached && { mustBeReached }) }, limit, paging };
}

/** Records that are converted between pauses, and bytes of them. */
const RECORDS_AT_ONCE = 512;
const BYTES_AT_ONCE = 262_144;

function* resultsOf(
  resource: StoredResource,
  { version }: RequestContext,
  records: readonly ObjectRecord[],
): Steps<readonly ResultObject[]> {
  if (resource.answersRecords(version)) return records;
  const result = (record: ObjectRecord): ResultObject => resource.toResult(record, version);
  const items: ResultObject[] = [];
  let bytes = 0;
  for (const record of records) {
    items.push(result(record));
    bytes += record.stored.length;
    if (bytes < BYTES_AT_ONCE && items.length % RECORDS_AT_ONCE > 0) continue;
    bytes = 0;
    yield;
  }
  return items;
}

function listOf(
  resource: StoredResource,
  context: RequestContext,
  { records, remaining, revision, items, identity }: ListResult & Pick<ObjectList, 'items'>,
  { paging }: Reading,
  isSelected: boolean,
): ObjectList {
  const isShared = identity !== undefined && items === records;
  const list = (page: Pick<ObjectList, 'continue' | 'remainingItemCount'>): ObjectList => ({
    items,
    resourceVersion: String(revision),
    isSelected,
    ...(isShared && { identity }),
    ...page,
  });
  if (paging === 'none') return list({});
  const last = records.at(-1);
  if (remaining === 0 || !last) return list({ continue: '' });
  const prefix = resource.collection(context.namespace);
  const token = encodeContinueToken({ revision, after: last.key }, prefix, resource.ambient.vocabulary);
  return list({ continue: token, ...(!isSelected && { remainingItemCount: remaining }) });
}

function tokenExpired(resource: StoredResource, prefix: string, { options }: Reading): StatusError {
  const token = encodeContinueToken(
    { revision: -1, after: options.after ?? prefix },
    prefix,
    resource.ambient.vocabulary,
  );
  return StatusError.expired(TOKEN_EXPIRED, { continue: token });
}
