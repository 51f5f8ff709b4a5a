import { type ObjectEvent, ObjectRecord } from '@ashlar/storage';
import type {
  RequestContext,
  ResultObject,
  WatchRequest,
  WatchSink,
} from '../definition/resource-storage.ts';
import type { StoredResource } from '../definition/stored-resource.ts';
import { listInPages } from './list-in-pages.ts';
import { type CompiledSelection, compileSelection, type ObjectMatcher } from './selection.ts';
import { watchedEvents } from './watched-batches.ts';

const BOOKMARK_MILLISECONDS = 60_000;
/** How long before the end of a watch the last bookmark is sent. */
const LAST_BOOKMARK_MILLISECONDS = 2_000;
/** Maximum length of a batch that is sent as one: longer ones are only the past of a single watch. */
const MAXIMUM_SHARED = 256;

/** Watches a collection (semantics/list-and-watch#watch). Errors before the first event are thrown, later ones go to the sink. */
export async function watchObjects(
  resource: StoredResource,
  context: RequestContext,
  request: WatchRequest,
  sink: WatchSink,
): Promise<Disposable> {
  const { prefix, select, concerning, matches } = compileSelection(resource, context, request);
  const emit: Emit = (type, record, revision = record.revision) =>
    sink.event(type, resultAt(resource, context.version, record, revision));
  const afterRevision = await start(resource, { prefix, select }, request, emit, sink);
  if (afterRevision === undefined) return ENDED;
  let receivedRevision = afterRevision;
  let bookmarks: Disposable | undefined;
  const watch = resource.store.watch(
    prefix,
    { afterRevision, ...(concerning && { concerning }) },
    {
      events: (batch) => {
        if (sink.events && !matches && batch.length <= MAXIMUM_SHARED)
          sink.events(watchedEvents(resource, context.version, batch));
        else for (const event of batch) emitEvent(event, matches, emit);
        receivedRevision = batch.at(-1)?.record.revision ?? receivedRevision;
      },
      error: (error) => {
        bookmarks?.[Symbol.dispose]();
        sink.error(error);
      },
      ...(sink.arrived && { arrived: (deliver: () => void) => sink.arrived?.(deliver) }),
      ...(request.allowBookmarks && {
        progress: (revision: number) => {
          receivedRevision = revision;
        },
      }),
    },
  );
  const deliveredRevision = (): number => Math.max(watch.delivered ?? 0, receivedRevision);
  if (request.allowBookmarks) bookmarks = sendBookmarks(resource, request, sink, deliveredRevision);
  return {
    [Symbol.dispose]: () => {
      watch[Symbol.dispose]();
      bookmarks?.[Symbol.dispose]();
    },
  };
}

/** A watch that has already ended. */
const ENDED: Disposable = { [Symbol.dispose]: () => {} };

/** @param revision that is shown; by default that of the record */
type Emit = (type: 'ADDED' | 'MODIFIED' | 'DELETED', record: ObjectRecord, revision?: number) => void;

/**
 * Sends the initial events, if requested, with back-pressure: records wait for a slow client, which all clients share, not encoded
 * bytes. Returns the revision to watch from; undefined if the watch has ended.
 */
async function start(
  resource: StoredResource,
  { prefix, select }: Pick<CompiledSelection, 'prefix' | 'select'>,
  { resourceVersion, sendInitialEvents, allowBookmarks }: WatchRequest,
  emit: Emit,
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
    emit('ADDED', record);
    const capacity = sink.waitForCapacity?.() ?? true;
    if (capacity !== true && !(await capacity)) return undefined;
  }
  if (sendInitialEvents && allowBookmarks) sink.bookmark(String(revision), true);
  return revision;
}

/** Emits an event by the table of selector transitions (semantics/list-and-watch#watch). */
function emitEvent(event: ObjectEvent, matches: ObjectMatcher | undefined, emit: Emit): void {
  const { type, record, previous } = event;
  if (type === 'removed') {
    if (!matches || matches(record)) emit('DELETED', record);
    return;
  }
  const matched = previous !== undefined && (!matches || matches(previous));
  if (!matches || matches(record)) emit(matched ? 'MODIFIED' : 'ADDED', record);
  else if (matched) emit('DELETED', previous, record.revision);
}

/**
 * Returns a state in the requested version, with the revision of the event: the last state of an object that leaves a selection has that of
 * the change. Only the state itself was converted ahead, so that it gets the revision afterwards.
 */
function resultAt(
  resource: StoredResource,
  version: string,
  record: ObjectRecord,
  revision: number,
): ResultObject {
  const result = resource.toResult(record, version);
  if (revision === record.revision) return result;
  if (ObjectRecord.is(result)) return stamped(result, revision);
  return resource.toResult(stamped(record, revision), version);
}

/** The last state of an object, created once for all watchers that lose it: a state has one successor. */
function stamped(record: ObjectRecord, revision: number): ObjectRecord {
  return record.memo(stamped, () => record.at(revision));
}

/** Sends bookmarks regularly. @param deliveredRevision up to which the sink has all events */
function sendBookmarks(
  resource: StoredResource,
  { timeoutMilliseconds }: WatchRequest,
  sink: WatchSink,
  deliveredRevision: () => number,
): Disposable {
  const { clock } = resource.ambient;
  const send = (): void => sink.bookmark(String(deliveredRevision()), false);
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
