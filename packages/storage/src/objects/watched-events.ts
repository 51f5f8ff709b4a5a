import type { KeyValueEvent, WatchObserver } from '../contracts/key-value-store.ts';
import type { ObjectEvent, ObjectObserver, ObjectWatchOptions } from '../contracts/object-store.ts';
import { inMicrotask } from './in-microtask.ts';
import type { ObjectCodec } from './object-record.ts';
import { recordOf } from './record-of-entry.ts';
import { watchError } from './store-errors.ts';
import type { UnreadableObjectError, UnreadableResponses } from './unreadable-object.ts';

/** A batch that was just delivered, as events of objects. */
interface ConvertedBatch {
  readonly batch: readonly KeyValueEvent[];
  readonly events: readonly ObjectEvent[];
  /** Index of the first one that cannot be read; -1 if all can. */
  readonly faulty: number;
}

/** The events of an engine as those of objects: each is converted once for all watches that receive it. */
export class WatchedEvents {
  readonly #codec: ObjectCodec;
  readonly #unreadable: UnreadableResponses;
  #converted: ConvertedBatch | undefined;

  constructor(codec: ObjectCodec, unreadable: UnreadableResponses) {
    this.#codec = codec;
    this.#unreadable = unreadable;
  }

  /**
   * The observer of the entries for one of objects.
   * @param end ends the watch
   */
  observe(
    { afterRevision, onUnreadable }: ObjectWatchOptions,
    observer: ObjectObserver,
    end: () => void,
  ): WatchObserver {
    let started = false;
    const { progress, arrived } = observer;
    return {
      events: (batch) => {
        started = true;
        const { events, faulty } = this.#toEvents(batch);
        if (faulty < 0) observer.events(events);
        else if (onUnreadable) emitReadable(events, observer, onUnreadable);
        else this.#endAt(faulty, events, observer, end);
      },
      error: (error) => observer.error(watchError(error, started ? undefined : afterRevision)),
      ...(progress && { progress: (revision: number) => progress.call(observer, revision) }),
      ...(arrived && { arrived: (deliver: () => void) => arrived.call(observer, deliver) }),
    };
  }

  /** Ends a watch at an event that cannot be read: others would miss it without knowing. */
  #endAt(index: number, events: readonly ObjectEvent[], observer: ObjectObserver, end: () => void): void {
    const { type, record, previous } = events[index] as ObjectEvent;
    end();
    if (index > 0) observer.events(events.slice(0, index));
    const fault = (record.fault ?? previous?.fault) as UnreadableObjectError;
    observer.error(this.#unreadable.watch(fault, type === 'removed' ? 'deleted' : 'changed'));
  }

  /** Converts a batch, once for all watches that receive it one after the other. */
  #toEvents(batch: readonly KeyValueEvent[]): ConvertedBatch {
    if (this.#converted?.batch !== batch) {
      const events = batch.map((event) => this.#toEvent(event));
      this.#converted = { batch, events, faulty: events.findIndex(isUnreadable) };
      // later the same list may have more events
      inMicrotask(() => {
        this.#converted = undefined;
      });
    }
    return this.#converted;
  }

  /** Converts an event, with its record and encodings, once for all watches that receive it. */
  #toEvent(event: KeyValueEvent): ObjectEvent {
    const memo = event.memo as { readonly by: unknown; readonly event: ObjectEvent } | undefined;
    if (memo?.by === this.#codec) return memo.event;
    const objectEvent = this.#makeEvent(event);
    event.memo = { by: this.#codec, event: objectEvent };
    return objectEvent;
  }

  #makeEvent({ revision, entry, previous }: KeyValueEvent): ObjectEvent {
    const before = previous && recordOf(previous, this.#codec);
    if (entry) {
      const record = recordOf(entry, this.#codec);
      return before ? { type: 'updated', record, previous: before } : { type: 'created', record };
    }
    if (!before) throw new TypeError('the engine reports a deletion without what it deleted');
    return { type: 'removed', record: before.at(revision) };
  }
}

function emitReadable(
  events: readonly ObjectEvent[],
  observer: ObjectObserver,
  onUnreadable: NonNullable<ObjectWatchOptions['onUnreadable']>,
): void {
  const readable = events.filter(({ record, previous }) => {
    const fault = record.fault ?? previous?.fault;
    if (fault) onUnreadable(fault);
    return !fault;
  });
  if (readable.length > 0) observer.events(readable);
}

const isUnreadable = ({ record, previous }: ObjectEvent): boolean =>
  record.fault !== undefined || previous?.fault !== undefined;
