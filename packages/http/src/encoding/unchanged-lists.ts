import { concatenateBytes, type Steps } from '@ashlar/core';
import { ObjectRecord } from '@ashlar/storage';
import type { EncodingBudget } from './encoding-budget.ts';
import { type Encoding, EncodingCache } from './encoding-cache.ts';
import type { ListItems } from './list-items.ts';

/** Maximum length of a piece, unless an item is longer. */
const PIECE_BYTES = 1_048_576;

/** The items of a list in few long pieces. */
interface WholeList extends Encoding {
  readonly identity: object;
  readonly pieces: readonly Uint8Array[];
}

/**
 * Caches lists as a whole, when they are read for the second time without a change: neither their items are looked at then, nor their
 * bytes gathered. Of the lists that begin with the same record, one is cached.
 */
export class UnchangedLists {
  readonly #lists: EncodingCache<WholeList>;
  readonly #seen: WeakSet<object> = new WeakSet();

  constructor(budget: EncodingBudget) {
    this.#lists = new EncodingCache(budget);
  }

  /** Returns the items of a list in pieces, if they are cached. */
  get({ identity, items: [first] }: ListItems): readonly Uint8Array[] | undefined {
    if (!identity || !ObjectRecord.is(first)) return undefined;
    const list = this.#lists.get(first);
    return list?.identity === identity ? list.pieces : undefined;
  }

  /** Caches a list if this is the second time. Returns its pieces. */
  *addSteps({ identity, items: [first] }: ListItems, pieces: Uint8Array[]): Steps<Uint8Array[]> {
    if (!identity || !ObjectRecord.is(first)) return pieces;
    if (!this.#seen.has(identity)) {
      this.#seen.add(identity);
      return pieces;
    }
    const long: Uint8Array[] = [];
    for (let at = 0; at < pieces.length; ) {
      if (at > 0) yield;
      const end = endOfPiece(pieces, at);
      long.push(concatenateBytes(pieces.slice(at, end)));
      at = end;
    }
    const byteLength = long.reduce((sum, { length }) => sum + length, 0);
    this.#lists.set(first, { identity, pieces: long, byteLength });
    return [...long];
  }
}

/** Returns where the pieces end that are joined to one. */
function endOfPiece(pieces: readonly Uint8Array[], start: number): number {
  let end = start;
  for (let bytes = 0; end < pieces.length; end++) {
    bytes += (pieces[end] as Uint8Array).length;
    if (bytes > PIECE_BYTES && end > start) break;
  }
  return end;
}
