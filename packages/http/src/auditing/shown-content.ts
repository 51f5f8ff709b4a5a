import type { JsonPieces } from '@ashlar/audit';
import type { ByteSink, ResponseBody, Steps } from '@ashlar/core';
import { ManagedFieldsFilter } from './managed-fields-filter.ts';

/** A body that is not a stream. */
export type CompleteBody = Exclude<ResponseBody, (sink: ByteSink) => void>;

/** What is shown of a body. */
export interface ShownContentOptions {
  readonly omitManagedFields: boolean;
  /** What is longer is not read further: nobody stores it. By default all is read. */
  readonly maximumBytes?: number;
}

const NEWLINE = 10;

/** Pieces, and bytes of them, that are read between two pauses. */
const PIECES_PER_STEP = 256;
const STRETCH = 65_536;

/**
 * Makes what events show of JSON: of a response, or of a submitted object.
 * @returns of what is too long only the beginning, longer than the maximum
 */
export function* shownContent(
  body: CompleteBody,
  { omitManagedFields, maximumBytes = Number.POSITIVE_INFINITY }: ShownContentOptions,
): Steps<JsonPieces> {
  const filter = omitManagedFields ? new ManagedFieldsFilter() : undefined;
  const pieces: Uint8Array[] = [];
  const progress = { count: 0, bytes: 0, size: 0 };
  for (const whole of body instanceof Uint8Array ? [body] : body) {
    for (const piece of filter ? stretchesOf(whole) : [whole]) {
      for (const kept of filter ? filter.next(piece) : [piece]) {
        pieces.push(kept);
        progress.size += kept.length;
      }
      if (progress.size > maximumBytes) return pieces;
      if (filter) progress.bytes += piece.length;
      if (++progress.count % PIECES_PER_STEP !== 0 && progress.bytes < STRETCH) continue;
      progress.bytes = 0;
      yield;
    }
  }
  return withoutLineBreak(pieces);
}

function* stretchesOf(piece: Uint8Array): Iterable<Uint8Array> {
  for (let at = 0; at < piece.length; at += STRETCH) yield piece.subarray(at, at + STRETCH);
}

function withoutLineBreak(pieces: Uint8Array[]): JsonPieces {
  const last = pieces.at(-1);
  if (last?.at(-1) === NEWLINE) pieces[pieces.length - 1] = last.subarray(0, -1);
  return pieces;
}
