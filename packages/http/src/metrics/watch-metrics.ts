import type { Count, Distribution, Metrics } from '@ashlar/core';
import type { ServedResource } from '../catalog/served-resource.ts';
import type { WatchFrames } from '../verbs/watch-frames.ts';

/** Bytes: from 1 to 128 KiB. */
const SIZES = Array.from({ length: 8 }, (_, i) => 1024 * 2 ** i);
const LABELS = ['group', 'version', 'kind'];

/** Counts the events of watches, and how large they are. */
export class WatchMetrics {
  readonly #total: ReturnType<Metrics['counter']>;
  readonly #sizes: ReturnType<Metrics['histogram']>;

  constructor(metrics: Metrics) {
    this.#total = metrics.counter({
      name: 'apiserver_watch_events_total',
      help: 'Number of events that were sent to watches.',
      labels: LABELS,
    });
    this.#sizes = metrics.histogram(
      {
        name: 'apiserver_watch_events_sizes',
        help: 'Size of the events of watches in bytes.',
        labels: LABELS,
      },
      SIZES,
    );
  }

  /** Returns the encoder of one watch whose events are counted. */
  counted(frames: WatchFrames, { version, definition }: ServedResource): WatchFrames {
    const labels = [definition.group, version.name, definition.names.kind];
    return countedFrames(frames, { total: this.#total.of(labels), sizes: this.#sizes.of(labels) });
  }
}

interface EventSeries {
  readonly total: Count;
  readonly sizes: Distribution;
}

function countedFrames(frames: WatchFrames, { total, sizes }: EventSeries): WatchFrames {
  const counted = <T extends Uint8Array | undefined>(bytes: T): T => {
    if (bytes) {
      total.add();
      sizes.observe(bytes.length);
    }
    return bytes;
  };
  const { events, large } = frames;
  return {
    ...(events && {
      events(batch) {
        const bytes = events(batch);
        if (batch.length === 1) return counted(bytes);
        // each is encoded already
        for (const { type, record } of batch) counted(frames.event(type, record));
        return bytes;
      },
    }),
    event: (type, result) => counted(frames.event(type, result)),
    bookmark: (resourceVersion, initialEventsEnd) =>
      counted(frames.bookmark(resourceVersion, initialEventsEnd)),
    error: (status) => counted(frames.error(status)),
    ...(large && {
      large: {
        is: large.is,
        event: async (type, record, isOpen) => counted(await large.event(type, record, isOpen)),
      },
    }),
  };
}
