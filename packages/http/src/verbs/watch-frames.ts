import { encodeJson, encodeJsonSteps, frameJsonEvent } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  concatenateBytes,
  doneSteps,
  encodeBase64,
  type JsonValue,
  metaGroup,
  pause,
  runAtOnce,
  runInSlices,
  type Status,
  StatusError,
  type Steps,
  type WatchEventType,
} from '@ashlar/core';
import { objectOf, type ResultObject, type WatchedEvent } from '@ashlar/registry';
import { ObjectRecord } from '@ashlar/storage';
import type { ServedResource } from '../catalog/served-resource.ts';
import { concatenated } from '../encoding/concatenated.ts';
import type { IncludeObject } from '../encoding/include-object.ts';
import { isLarge } from '../encoding/large-records.ts';
import { listHead } from '../encoding/list-body.ts';
import { toPartialObjectMetadata } from '../encoding/metadata-view.ts';
import { encodeText, type Representation } from '../encoding/representation.ts';
import { decodedSteps, jsonOf } from '../encoding/result-object.ts';
import { toTable } from '../encoding/table-view.ts';
import { shareWork } from './shared-work.ts';

/** Encodes the events of one watch. What is undefined has no form in the requested view, and ends the watch. */
export interface WatchFrames {
  /** Several events, joined once for all watchers that receive the same array. */
  readonly events?: (batch: readonly WatchedEvent[]) => Uint8Array;
  event(type: 'ADDED' | 'MODIFIED' | 'DELETED', result: ResultObject): Uint8Array | undefined;
  bookmark(resourceVersion: string, initialEventsEnd: boolean): Uint8Array | undefined;
  error(status: Status): Uint8Array;
  /** Only of formats in which large objects take long. */
  readonly large?: LargeFrames;
}

/** Events of large objects, encoded with pauses. */
interface LargeFrames {
  /** Whether the event of an object takes long. */
  is(result: ResultObject): result is ObjectRecord;
  /** As `WatchFrames.event`. @param isOpen whether the watch is open; without one, the result is undefined */
  event(
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    record: ObjectRecord,
    isOpen: () => boolean,
  ): Promise<Uint8Array | undefined>;
}

/** Creates the encoder of a watch in the negotiated format (semantics/list-and-watch#watch, semantics/encodings#watch-frames). */
export function createWatchFrames(
  served: ServedResource,
  representation: Representation,
  include: IncludeObject,
  ambient: Ambient,
): WatchFrames {
  const frames = framesOfObjects(served, representation, include, ambient);
  if (representation.transform?.as !== 'PartialObjectMetadataList') return frames;
  // events have one object each, and no list
  return {
    event: () => undefined,
    bookmark: (_, initialEventsEnd) => {
      if (initialEventsEnd) throw noEmptyList(served);
      return undefined;
    },
    error: frames.error,
  };
}

/** Returns the error of a bookmark that would have an empty list of lists (semantics/differences#a-watch-as-partialobjectmetadatalist). */
function noEmptyList({ definition, version }: ServedResource): StatusError {
  const message = `no kind is registered for the type ${version.name}.${definition.names.listKind}`;
  return new StatusError({ code: 500, reason: 'InternalError', message });
}

function framesOfObjects(
  served: ServedResource,
  representation: Representation,
  include: IncludeObject,
  ambient: Ambient,
): WatchFrames {
  const bookmarkOf = (version: string, end: boolean): object =>
    bookmark(served, representation, version, end);
  const viewOf = createView(served, representation, include, ambient);
  const { format } = representation;
  if (format === 'protobuf' || format === 'cbor') {
    const frames = binaryFrames(served[format], viewOf, bookmarkOf);
    const steps = (type: WatchEventType, object: ApiObject): Steps<Uint8Array> =>
      doneSteps(served[format].frame(type, object, viewOf));
    return { ...frames, large: viewOf ? largeViews(steps, ambient) : largeObjects(served, format, ambient) };
  }
  const frame = (type: WatchEventType, value: object): Uint8Array =>
    frameJsonEvent(type, encodeJson(value as JsonValue));
  const event: WatchFrames['event'] = viewOf ? (type, result) => frame(type, viewOf(result)) : sharedFrame;
  return {
    ...(viewOf ? { large: largeViews(jsonViewSteps(viewOf), ambient) } : { events: sharedFrames }),
    event,
    bookmark: (version, end) =>
      frame('BOOKMARK', viewOf ? viewOf(bookmarkOf(version, end) as ResultObject) : bookmarkOf(version, end)),
    error: (status) => frame('ERROR', status),
  };
}

function binaryFrames(
  encoding: ServedResource['protobuf'] | ServedResource['cbor'],
  viewOf: ((result: ResultObject) => object) | undefined,
  bookmarkOf: (version: string, end: boolean) => object,
): WatchFrames {
  return {
    event: (type, result) => encoding.frame(type, result, viewOf),
    bookmark: (version, end) => encoding.frame('BOOKMARK', bookmarkOf(version, end) as ResultObject, viewOf),
    error: (status) => encoding.errorFrame(status),
  };
}

type ViewSteps = (type: WatchEventType, object: ApiObject) => Steps<Uint8Array>;

/** A table may have the whole object in it. */
const jsonViewSteps = (viewOf: (result: ResultObject) => object): ViewSteps =>
  function* (type, object) {
    return frameJsonEvent(type, yield* encodeJsonSteps(viewOf(object) as JsonValue));
  };

/** Events with large objects as they are. */
function largeObjects(served: ServedResource, format: 'protobuf' | 'cbor', ambient: Ambient): LargeFrames {
  return {
    is: isLarge,
    event: (type, record, isOpen) => {
      const steps = (): Steps<Uint8Array> => served[format].frameSteps(type, record);
      return shareWork(record, { name: `${format}/${type}`, steps }, ambient, isOpen);
    },
  };
}

/** Events with views of large objects. The decoded object is shared; each watch has a view of its own. */
function largeViews(frameSteps: ViewSteps, ambient: Ambient): LargeFrames {
  return {
    is: isLarge,
    event: async (type, record, isOpen) => {
      const steps = (): Steps<ApiObject> => decodedSteps(record);
      const object = await shareWork(record, { name: 'decoded', steps }, ambient, isOpen);
      if (!object) return undefined;
      // all watches get the object in one turn
      await pause(ambient);
      return runInSlices(frameSteps(type, object), ambient);
    },
  };
}

/** Encodes an event of a plain object; frames of records are encoded once for all watchers. */
function sharedFrame(type: 'ADDED' | 'MODIFIED' | 'DELETED', result: ResultObject): Uint8Array {
  if (!ObjectRecord.is(result)) return frameJsonEvent(type, jsonOf(result));
  return result.memoInTurn(type, () => frameJsonEvent(type, result.json));
}

const joinedFrames = new WeakMap<readonly WatchedEvent[], Uint8Array>();

function sharedFrames(batch: readonly WatchedEvent[]): Uint8Array {
  let bytes = joinedFrames.get(batch);
  if (!bytes) {
    const frames = batch.map(({ type, record }) => sharedFrame(type, record));
    bytes = frames.length === 1 ? (frames[0] as Uint8Array) : concatenateBytes(frames);
    joinedFrames.set(batch, bytes);
  }
  return bytes;
}

/** Returns the function that converts objects to the requested view, if any. Only the first table has column definitions. */
function createView(
  served: ServedResource,
  { transform }: Representation,
  include: IncludeObject,
  { clock }: Ambient,
): ((result: ResultObject) => object) | undefined {
  if (!transform) return undefined;
  if (transform.as !== 'Table') return (result) => toPartialObjectMetadata(served, result, transform);
  let withoutColumns = false;
  return (result) => {
    const { resourceVersion = '' } = objectOf(result).metadata;
    const table = toTable(
      served,
      [result],
      { resourceVersion },
      { transform, include, now: clock.now(), withoutColumns },
    );
    withoutColumns = true;
    return table;
  };
}

/** Returns a bookmark: kind, version and resource version; the one after the initial events also has annotations (semantics/differences#bookmarks). */
function bookmark(
  served: ServedResource,
  representation: Representation,
  resourceVersion: string,
  end: boolean,
): object {
  const { groupDomain, labelDomain } = served.vocabulary;
  const { transform } = representation;
  const annotations = {
    [`${groupDomain}/initial-events-end`]: 'true',
    [`${labelDomain}/initial-events-list-blueprint`]: encodeBase64(emptyList(served, representation)),
  };
  const { kind } = served.definition.names;
  const { apiVersion } = served;
  // members of custom objects are sorted
  const object =
    served.definition.dialect === 'custom'
      ? { apiVersion, kind, metadata: { ...(end && { annotations }), resourceVersion } }
      : { kind, apiVersion, metadata: { resourceVersion, ...(end && { annotations }) } };
  return transform?.as === 'PartialObjectMetadata'
    ? toPartialObjectMetadata(served, object, transform)
    : object;
}

/** Encodes an empty list of the watched resource, as release 1.32 does: lists of built-in kinds have null there, those of custom kinds no metadata. */
function emptyList(served: ServedResource, { format, transform }: Representation): Uint8Array {
  const { kind, apiVersion } = transform
    ? { kind: `${transform.as}List`, apiVersion: `${metaGroup(served.vocabulary)}/${transform.version}` }
    : listHead(served, { items: [], resourceVersion: '' });
  if (format !== 'protobuf') {
    const isCustom = !transform && served.definition.dialect === 'custom';
    const list = isCustom ? { apiVersion, items: [], kind } : { kind, apiVersion, metadata: {}, items: null };
    return encodeText(list, { format, contentType: '', pretty: false });
  }
  const list = { kind, apiVersion, metadata: {}, items: [] };
  return transform
    ? served.protobuf.encodeView(list)
    : concatenated(runAtOnce(served.protobuf.encodeListSteps(list, { items: [] })));
}
