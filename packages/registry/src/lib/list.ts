import { decodeContinueToken, encodeContinueToken, StatusError } from '@ashlar/core';
import type { ListOptions, ObjectRecord } from '@ashlar/storage';
import type { ListAnswer, ListRequest, RequestContext } from './resource-storage.ts';
import { compileSelection, type ObjectMatcher } from './selection.ts';
import type { StoredResource } from './stored-resource.ts';

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
  'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
  'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
  'deleted between the time the first chunk was returned and now may show up in the list.';

/** How many raw entries are read at a time while looking for enough that match. */
const SCAN = 500;

/** Lists a collection, whole or in pages (semantics D4). */
export async function listObjects(
  resource: StoredResource,
  context: RequestContext,
  request: ListRequest,
): Promise<ListAnswer> {
  const prefix = resource.collection(context.namespace);
  const matches = compileSelection(resource, context, request);
  const reading = readingOf(resource, prefix, request);
  try {
    return await readPage(resource, context, prefix, reading, matches);
  } catch (error) {
    if (request.continue && StatusError.is(error, 'Expired')) throw tokenExpired(resource, prefix, reading);
    throw error;
  }
}

interface Reading {
  readonly options: ListOptions;
  readonly limit: number | undefined;
  readonly inPages: boolean;
}

/** The rows of the table in semantics D4. */
function readingOf(resource: StoredResource, prefix: string, request: ListRequest): Reading {
  const { resourceVersion: version, resourceVersionMatch: match } = request;
  const limit = request.limit && request.limit > 0 ? request.limit : undefined;
  const inPages = limit !== undefined || request.continue !== undefined;
  if (request.continue) {
    const { after, revision } = decodeContinueToken(request.continue, prefix, resource.ambient.vocabulary);
    return { options: { after, ...(revision > 0 && { atRevision: revision }) }, limit, inPages };
  }
  if (version === undefined) return { options: {}, limit, inPages };
  if (version === 0) return { options: { notOlderThan: 0 }, limit: undefined, inPages: false };
  if (match === 'Exact' || (match === undefined && limit !== undefined)) {
    return { options: { atRevision: version }, limit, inPages };
  }
  return { options: { notOlderThan: version }, limit, inPages };
}

async function readPage(
  resource: StoredResource,
  context: RequestContext,
  prefix: string,
  { options, limit, inPages }: Reading,
  matches: ObjectMatcher | undefined,
): Promise<ListAnswer> {
  const found: ObjectRecord[] = [];
  let next = options;
  for (;;) {
    const wanted = limit === undefined ? undefined : matches ? SCAN : limit;
    const page = await resource.store.list(prefix, wanted === undefined ? next : { ...next, limit: wanted });
    const taken = take(page.records, found, limit, matches);
    const last = page.records[taken - 1];
    const remaining = page.remaining + page.records.length - taken;
    if (remaining === 0 || !last || limit === undefined || found.length === limit) {
      return answerOf(resource, context, prefix, found, {
        revision: page.revision,
        last,
        remaining,
        inPages,
        matches,
      });
    }
    next = { after: last.key, atRevision: page.revision };
  }
}

/** Moves what matches into `found`, up to the limit; how many records were looked at. */
function take(
  records: readonly ObjectRecord[],
  found: ObjectRecord[],
  limit: number | undefined,
  matches: ObjectMatcher | undefined,
): number {
  let taken = 0;
  for (const record of records) {
    if (limit !== undefined && found.length === limit) return taken;
    taken++;
    if (!matches || matches(record)) found.push(record);
  }
  return taken;
}

interface PageEnd {
  readonly revision: number;
  readonly last: ObjectRecord | undefined;
  readonly remaining: number;
  readonly inPages: boolean;
  readonly matches: ObjectMatcher | undefined;
}

function answerOf(
  resource: StoredResource,
  context: RequestContext,
  prefix: string,
  found: readonly ObjectRecord[],
  { revision, last, remaining, inPages, matches }: PageEnd,
): ListAnswer {
  const items = found.map((record) => resource.answer(record, context.version));
  const resourceVersion = String(revision);
  if (!inPages) return { items, resourceVersion };
  if (remaining === 0 || !last) return { items, resourceVersion, continue: '' };
  const token = encodeContinueToken({ revision, after: last.key }, prefix, resource.ambient.vocabulary);
  return { items, resourceVersion, continue: token, ...(!matches && { remainingItemCount: remaining }) };
}

function tokenExpired(resource: StoredResource, prefix: string, { options }: Reading): StatusError {
  const token = encodeContinueToken(
    { revision: -1, after: options.after ?? prefix },
    prefix,
    resource.ambient.vocabulary,
  );
  return StatusError.expired(TOKEN_EXPIRED, { continue: token });
}
