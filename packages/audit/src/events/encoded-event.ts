import { encodeJsonSteps } from '@ashlar/codec';
import { runAtOnce, type Steps } from '@ashlar/core';
import type { JsonPieces, LoggedEvent } from './logged-event.ts';

/** An event and its JSON, encoded once for all who store it. */
export interface EncodedEvent {
  readonly event: LoggedEvent;
  /** The JSON object without `kind` and `apiVersion`, on one line. */
  readonly json: JsonPieces;
  /** Size of the JSON in bytes. */
  readonly size: number;
}

const encoder = new TextEncoder();

/** Encodes an event. Objects of request and response are taken as they are: nothing of them is read again. */
export function encodeEvent(event: LoggedEvent): EncodedEvent {
  return runAtOnce(encodeEventSteps(event));
}

/** As {@link encodeEvent}, with pauses: annotations may show whole patches, and a status quote whole bodies. */
export function* encodeEventSteps(event: LoggedEvent): Steps<EncodedEvent> {
  const { requestObject, responseObject, requestReceivedTimestamp, stageTimestamp, annotations } = event;
  const head = yield* encodeJsonSteps(headOf(event));
  const end = { requestReceivedTimestamp, stageTimestamp, annotations: sorted(annotations) };
  const tail = yield* encodeJsonSteps(end);
  const json = [
    head.subarray(0, -1),
    ...member('requestObject', requestObject),
    ...member('responseObject', responseObject),
    COMMA,
    tail.subarray(1),
  ];
  return { event, json, size: json.reduce((sum, piece) => sum + piece.length, 0) };
}

const COMMA: Uint8Array = encoder.encode(',');

/** The members before the objects, in the order in which they are written. */
function headOf(event: LoggedEvent): object {
  const { level, auditID, stage, requestURI, verb, user } = event;
  const { impersonatedUser, sourceIPs, userAgent, objectRef, responseStatus } = event;
  return {
    ...{ level, auditID, stage, requestURI, verb, user },
    ...{ impersonatedUser, sourceIPs, userAgent, objectRef, responseStatus },
  };
}

function member(name: string, pieces: JsonPieces | undefined): JsonPieces {
  return pieces ? [encoder.encode(`,"${name}":`), ...pieces] : [];
}

function sorted(annotations: LoggedEvent['annotations']): LoggedEvent['annotations'] {
  if (!annotations) return undefined;
  const keys = Object.keys(annotations).sort();
  return keys.length === 0
    ? undefined
    : Object.fromEntries(keys.map((key) => [key, annotations[key] as string]));
}
