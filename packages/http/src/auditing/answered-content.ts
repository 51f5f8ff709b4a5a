import type { JsonPieces } from '@ashlar/audit';
import { decodeJsonSteps, encodeJsonSteps } from '@ashlar/codec';
import {
  type BodyPieces,
  type ByteSink,
  concatenateBytes,
  isJsonObject,
  type ResponseBody,
  type Steps,
} from '@ashlar/core';
import { withoutManagedFields } from './managed-fields.ts';

/** A body that is not a stream. */
export type AnsweredBody = Exclude<ResponseBody, (sink: ByteSink) => void>;

const NEWLINE = 10;

/** Pieces that are made between two pauses. */
const PIECES_PER_STEP = 256;

/** Makes what events show of the JSON of a response. */
export function* answeredContent(body: AnsweredBody, omitManagedFields: boolean): Steps<JsonPieces> {
  const pieces = yield* lineOf(body instanceof Uint8Array ? [body] : body);
  if (!omitManagedFields) return pieces;
  yield;
  const { value } = yield* decodeJsonSteps(concatenateBytes(pieces), NO_LIMITS);
  yield;
  return isJsonObject(value) ? [yield* encodeJsonSteps(withoutManagedFields(value))] : pieces;
}

/** What this server has encoded is within the limits of its objects, of which a list may have any number. */
const NO_LIMITS = { maximumValues: Number.POSITIVE_INFINITY, maximumMembers: Number.POSITIVE_INFINITY };

/** The pieces without the line break at their end. */
function* lineOf(body: BodyPieces): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (const piece of body) {
    pieces.push(piece);
    if (pieces.length % PIECES_PER_STEP === 0) yield;
  }
  const last = pieces.at(-1);
  if (last?.at(-1) === NEWLINE) pieces[pieces.length - 1] = last.subarray(0, -1);
  return pieces;
}
