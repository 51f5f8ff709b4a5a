import { groupName, type Vocabulary } from '@ashlar/core';
import { type EncodedEvent, encodeEvent } from './encoded-event.ts';
import type { LoggedEvent } from './logged-event.ts';

/** Size above which events are cut, if nothing else is said. */
export const DEFAULT_MAXIMUM_EVENT_BYTES: number = 102_400;

/**
 * Returns an event that is not larger than a limit: without its objects, and with an annotation that says so, if they make it too large
 * (semantics/requests#audit).
 * @returns undefined if it is too large without them, too
 */
export function truncateEvent(
  encoded: EncodedEvent,
  maximumBytes: number,
  vocabulary: Vocabulary,
): EncodedEvent | undefined {
  if (encoded.size <= maximumBytes) return encoded;
  const { requestObject, responseObject, annotations, ...event } = encoded.event;
  // what is lost anyway need not be encoded again
  if (encoded.size - sizeOf(requestObject) - sizeOf(responseObject) > maximumBytes) return undefined;
  const truncated = { [`${groupName(vocabulary, 'audit.')}/truncated`]: 'true' };
  const small = encodeEvent({ ...event, annotations: { ...annotations, ...truncated } });
  return small.size <= maximumBytes ? small : undefined;
}

/** The bytes of an object, with its name. */
function sizeOf(pieces: LoggedEvent['requestObject']): number {
  return pieces?.reduce((sum, { length }) => sum + length, NAME_BYTES) ?? 0;
}

/** What a name adds at most: `,"responseObject":`. */
const NAME_BYTES = 18;
