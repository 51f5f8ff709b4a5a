import { type ApiObject, type Status, StatusError, sleep, type WatchEvent } from '@ashlar/core';
import { isTransient, type Requests } from '../connection/connection.ts';
import { backOffDelay, jittered } from './back-off.ts';
import { decodeStream } from './client-codec.ts';
import type { WatchOptions } from './resource-options.ts';

/** Pauses between connections without events. */
const BACK_OFF = { base: 500, maximum: 30_000 };

/** A connection that lasted this many milliseconds counts as successful, even without events. */
const LONG_ENOUGH = 1000;

/** A watch that outlives its connections. */
export interface WatchRequest extends WatchOptions {
  readonly path: string;
  readonly resourceVersion: string;
}

/**
 * The events of a collection after a version. A connection that ends or breaks is followed by another from
 * the last seen version, of events or bookmarks; only the first must succeed immediately.
 *
 * @throws StatusError `Expired` if the server no longer has the events: the caller must list again. Other
 * permanent rejections are thrown unchanged; so is the reason of the signal
 */
export async function* watchEvents<T extends ApiObject>(
  connection: Requests,
  request: WatchRequest,
): AsyncGenerator<WatchEvent<T>> {
  const { clock, random, transientRandom = random } = connection.ambient;
  let version = request.resourceVersion;
  let failures = 0;
  for (let opened = false; ; ) {
    const began = clock.monotonic();
    try {
      const stream = await openStream(connection, request, version);
      opened = true;
      for await (const event of decodeStream(stream, connection.ambient) as AsyncGenerator<WatchEvent<T>>) {
        if (event.type === 'ERROR') throw StatusError.fromStatus(event.object as unknown as Status);
        failures = 0;
        version = event.object.metadata.resourceVersion ?? version;
        if (event.type !== 'BOOKMARK' || request.bookmarks) yield event;
      }
    } catch (error) {
      request.signal?.throwIfAborted();
      if (!opened || !isTransient(error)) throw expiredFrom(error);
    }
    request.signal?.throwIfAborted();
    if (clock.monotonic() - began >= LONG_ENOUGH) failures = 0;
    if (failures > 0)
      await sleep(clock, jittered(backOffDelay(BACK_OFF, failures), transientRandom), request.signal);
    failures++;
  }
}

async function openStream(
  connection: Requests,
  { path, labelSelector, fieldSelector, timeoutSeconds, signal }: WatchRequest,
  resourceVersion: string,
): Promise<AsyncIterable<Uint8Array>> {
  const query = {
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    labelSelector,
    fieldSelector,
    timeoutSeconds,
  };
  return (await connection.open({ method: 'GET', path, query, signal })).stream();
}

/** Whether a version is too old to continue from. */
export function isExpired(error: unknown): error is StatusError {
  return StatusError.is(error) && error.code === 410;
}

/** One reason for all such responses. */
function expiredFrom(error: unknown): unknown {
  return isExpired(error) && error.reason !== 'Expired' ? StatusError.expired(error.message) : error;
}
