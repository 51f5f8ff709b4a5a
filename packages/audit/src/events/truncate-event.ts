import { groupName, type Vocabulary } from '@ashlar/core';
import { type EncodedEvent, encodeEvent } from './encoded-event.ts';

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
  const { requestObject: _, responseObject: __, annotations, ...event } = encoded.event;
  const truncated = { [`${groupName(vocabulary, 'audit.')}/truncated`]: 'true' };
  const small = encodeEvent({ ...event, annotations: { ...annotations, ...truncated } });
  return small.size <= maximumBytes ? small : undefined;
}
