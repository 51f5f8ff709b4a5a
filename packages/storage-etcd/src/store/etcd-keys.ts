import { withoutTrailing } from '@ashlar/core';

import { type Entry, type KeyValueEvent, RevisionCompactedError } from '@ashlar/storage';
import type { KeyValue } from '../messages/key-value-messages.ts';
import type { WatchedChange } from '../messages/watch-messages.ts';

/** Keys from `key` up to and excluding `rangeEnd`; without that only `key`. */
export interface KeyRange {
  readonly key: string;
  readonly rangeEnd?: string;
}

/** Maps the keys of a store to etcd, under its prefix. All begin with `/`. */
export class EtcdKeys {
  readonly #root: string;

  /** @throws TypeError if the prefix neither begins with `/` nor is empty */
  constructor(prefix: string) {
    if (prefix !== '' && !prefix.startsWith('/'))
      throw new TypeError(`the prefix ${JSON.stringify(prefix)} does not begin with /`);
    this.#root = withoutTrailing(prefix, '/');
  }

  /** A key in etcd. @throws TypeError if it does not begin with `/` */
  toEtcd(key: string): string {
    if (!key.startsWith('/')) throw new TypeError(`the key ${JSON.stringify(key)} does not begin with /`);
    return this.#root + key;
  }

  /**
   * The keys of a prefix that ends with `/`, of a single key, or of everything (the empty prefix), after
   * `after`.
   */
  range(prefix: string, after: string | undefined): KeyRange {
    const low = this.toEtcd(prefix === '' ? '/' : prefix);
    const from = after !== undefined && this.toEtcd(after) >= low ? `${this.toEtcd(after)}\u0000` : low;
    if (!low.endsWith('/')) return from === low ? { key: low } : NOTHING;
    // `0` is the character after `/`
    const rangeEnd = `${low.slice(0, -1)}0`;
    return from < rangeEnd ? { key: from, rangeEnd } : NOTHING;
  }

  /** An entry of the contract, with a buffer of its own: a view would retain the entire response. */
  entryOf({ key, modRevision, value }: KeyValue): Entry {
    return {
      key: key.slice(this.#root.length),
      value: new Uint8Array(value),
      revision: modRevision,
      memo: undefined,
    };
  }

  /**
   * An event of the contract.
   * @param after revision up to which the watch has received everything
   * @throws RevisionCompactedError if the previous entry has already been compacted
   */
  eventOf({ type, current, previous }: WatchedChange, after: number): KeyValueEvent {
    if (!current) throw new TypeError('etcd reports a change without its key');
    const { modRevision: revision, version } = current;
    if (!previous && (type === DELETE || version > 1)) throw new RevisionCompactedError(after, revision);
    const before = previous && this.entryOf(previous);
    if (type !== DELETE) {
      const entry = this.entryOf(current);
      return before
        ? { type: 'put', key: entry.key, revision, entry, previous: before, memo: undefined }
        : { type: 'put', key: entry.key, revision, entry, memo: undefined };
    }
    const key = current.key.slice(this.#root.length);
    return { type: 'delete', key, revision, ...(before && { previous: before }), memo: undefined };
  }
}

const DELETE = 1;

/** A range that ends where it begins is empty; etcd would reject it, so it is not requested. */
export const NOTHING: KeyRange = { key: '', rangeEnd: '' };
