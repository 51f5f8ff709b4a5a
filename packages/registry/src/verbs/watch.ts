import type { ObjectEvent, ObjectRecord } from '@ashlar/storage';
import type { RequestContext, WatchRequest, WatchSink } from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { listInPages } from './list-in-pages.ts';
import { type CompiledSelection, compileSelection, type ObjectMatcher } from './selection.ts';

const BOOKMARK_MILLISECONDS = 60_000;
/** How long before its end a watch gets a last bookmark. */
const LAST_BOOKMARK_MILLISECONDS = 2_000;

/** Watches a collection (semantics/list-and-watch#watch). What fails before the first event is thrown, what fails later goes to the sink. */
export async function watchObjects(
  resource: StoredResource,
  context: RequestContext,
  request: WatchRequest,
  sink: WatchSink,
): Promise<Disposable> {
  const { prefix, select, concerning, matches } = compileSelection(resource, context, request);
  const tell: Tell = (type, record) => sink.event(type, resource.answer(record, context.version));
  const afterRevision = await start(resource, { prefix, select }, request, tell, sink);
  if (afterRevision === undefined) return NOTHING;
  let heard = afterRevision;
  let bookmarks: Disposable | undefined;
  const watch = resource.store.watch(
    prefix,
    { afterRevision, ...(concerning && { concerning }) },
    {
      events: (batch) => {
        for (const event of batch) tellEvent(event, matches, tell);
        heard = batch.at(-1)?.record.revision ?? heard;
      },
      error: (error) => {
        bookmarks?.[Symbol.dispose]();
        sink.error(error);
      },
      ...(request.allowBookmarks && {
        progress: (revision: number) => {
          heard = revision;
        },
      }),
    },
  );
  const told = (): number => Math.max(watch.delivered ?? 0, heard);
  if (request.allowBookmarks) bookmarks = sendBookmarks(resource, request, sink, told);
  return {
    [Symbol.dispose]: () => {
      watch[Symbol.dispose]();
      bookmarks?.[Symbol.dispose]();
    },
  };
}

/** What is left to end of a watch that nobody listens to any more. */
const NOTHING: Disposable = { [Symbol.dispose]: () => {} };

type Tell = (type: 'ADDED' | 'MODIFIED' | 'DELETED', record: ObjectRecord) => void;

/**
 * Sends what is there already, where that is asked for, no faster than the sink takes it: what waits for a slow reader are records,
 * which all who read them share, and no bytes of its own. Gives the revision to go on from; undefined once nobody listens any more.
 */
async function start(
  resource: StoredResource,
  { prefix, select }: Pick<CompiledSelection, 'prefix' | 'select'>,
  { resourceVersion, sendInitialEvents, allowBookmarks }: WatchRequest,
  tell: Tell,
  sink: WatchSink,
): Promise<number | undefined> {
  const unversioned = resourceVersion === undefined || resourceVersion === 0;
  if (!(sendInitialEvents ?? unversioned))
    return unversioned ? resource.store.currentRevision() : resourceVersion;
  const { records, revision } = await listInPages(resource, prefix, {
    ...(resourceVersion !== undefined && { notOlderThan: resourceVersion }),
    ...(select && { select }),
  });
  for (const record of records) {
    tell('ADDED', record);
    const room = sink.waitForCapacity?.() ?? true;
    if (room !== true && !(await room)) return undefined;
  }
  if (sendInitialEvents && allowBookmarks) sink.bookmark(String(revision), true);
  return revision;
}

/** The table of selector transitions (semantics/list-and-watch#watch). */
function tellEvent(event: ObjectEvent, matches: ObjectMatcher | undefined, tell: Tell): void {
  const { type, record, previous } = event;
  if (type === 'removed') {
    if (!matches || matches(record)) tell('DELETED', record);
    return;
  }
  const matched = previous !== undefined && (!matches || matches(previous));
  if (!matches || matches(record)) tell(matched ? 'MODIFIED' : 'ADDED', record);
  else if (matched) tell('DELETED', withdrawn(record, previous));
}

/** The state before a change, under the change's revision: made once for all watchers that it leaves. */
function withdrawn(record: ObjectRecord, previous: ObjectRecord): ObjectRecord {
  return record.memo(withdrawn, () => previous.at(record.revision));
}

/** @param told up to which revision the sink has been told of everything */
function sendBookmarks(
  resource: StoredResource,
  { timeoutMilliseconds }: WatchRequest,
  sink: WatchSink,
  told: () => number,
): Disposable {
  const { clock } = resource.ambient;
  const send = (): void => sink.bookmark(String(told()), false);
  const regular = (): void => {
    send();
    timer = clock.setTimer(BOOKMARK_MILLISECONDS, regular);
  };
  let timer = clock.setTimer(BOOKMARK_MILLISECONDS, regular);
  const untilLast = (timeoutMilliseconds ?? 0) - LAST_BOOKMARK_MILLISECONDS;
  const last = untilLast > 0 ? clock.setTimer(untilLast, send) : undefined;
  return {
    [Symbol.dispose]: () => {
      timer.clear();
      last?.clear();
    },
  };
}
