import { MANY_MEMBERS, noteChangedCopy } from '@ashlar/core';
import type { JsonContainer, OwnContainer } from './json-container.ts';

interface Copied {
  readonly original: JsonContainer;
  readonly changed: Set<string>;
  readonly removed: Set<string>;
  isReordered: boolean;
}

/** What a patch changes in the large objects and lists that it copies. */
export class DraftChanges {
  readonly #copies: Map<OwnContainer, Copied> = new Map();

  /** @param size number of members */
  copied(copy: OwnContainer, original: JsonContainer, size: number): void {
    if (size < MANY_MEMBERS) return;
    this.#copies.set(copy, { original, changed: new Set(), removed: new Set(), isReordered: false });
  }

  set(container: OwnContainer, name: string | number): void {
    const copied = this.#copies.get(container);
    if (!copied) return;
    copied.changed.add(String(name));
    // what is added again comes last
    copied.isReordered ||= copied.removed.has(String(name));
  }

  removed(object: OwnContainer, name: string): void {
    const copied = this.#copies.get(object);
    copied?.changed.add(name);
    copied?.removed.add(name);
  }

  /** Items have other indexes than before. */
  moved(list: OwnContainer): void {
    this.#copies.delete(list);
  }

  /** Notes the changes, once no operation is left. What is put in order afterwards still counts. */
  note(): void {
    for (const [copy, { original, changed, isReordered }] of this.#copies)
      noteChangedCopy(copy, { original, changed, isReordered });
  }
}
