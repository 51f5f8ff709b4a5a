import { DecodeError } from '../serializers/decode-error.ts';
import { type CborCursor, Major, majorNameOf, Tag } from './cbor-cursor.ts';
import { wellFormedEnd } from './cbor-well-formed.ts';

/**
 * Checks whether the next tags fit the tagged item. If they do, they stay next; otherwise the item is
 * skipped.
 */
export function checkTags(cursor: CborCursor): DecodeError | undefined {
  const start = cursor.at;
  while (cursor.nextMajor === Major.tag) {
    cursor.head();
    const error = misplacedTag(cursor.argument, cursor.bytes[cursor.at] as number);
    if (!error) continue;
    cursor.at = wellFormedEnd(cursor.bytes, cursor.at);
    return error;
  }
  cursor.at = start;
  return undefined;
}

/** A tag on an invalid item (RFC 8949 sections 3.4.1 and 3.4.2). */
function misplacedTag(tag: number, next: number): DecodeError | undefined {
  const major = next >> 5;
  const fits =
    tag === Tag.timeText
      ? major === Major.text
      : tag !== Tag.epochTime || major <= Major.negative || (next >= 0xf9 && next <= 0xfb);
  if (fits) return undefined;
  const expectedType = tag === Tag.timeText ? 'text string' : 'integer or floating-point number';
  return new DecodeError(
    `cbor: tag number ${tag} must be followed by ${expectedType}, got ${majorNameOf(next)}`,
  );
}
