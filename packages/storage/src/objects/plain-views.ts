import type { Entry } from '../contracts/entry.ts';
import type { KeyValueEvent, RangeResult } from '../contracts/key-value-store.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes a text. */
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** Returns an entry as one line: `key=value@revision`. */
export const viewEntry = (entry: Entry | undefined): string | undefined =>
  entry && `${entry.key}=${decoder.decode(entry.value)}@${entry.revision}`;

/** Returns the entries of a range, one line each. */
export const viewEntries = ({ entries }: RangeResult): (string | undefined)[] => entries.map(viewEntry);

/** Returns an event as one line: the new entry or deleted key, and the previous entry. */
export function viewEvent({ type, key, revision, entry, previous }: KeyValueEvent): string {
  const now = type === 'put' ? viewEntry(entry) : `${key}${entry ? ' with an entry' : ''}@${revision}`;
  return `${type} ${now} before: ${viewEntry(previous) ?? 'nothing'}`;
}
