import type { ResultObject } from '@ashlar/registry';

/** Items of a list, and whether a selector selected them. */
export interface ListItems {
  readonly items: readonly ResultObject[];
  readonly isSelected?: boolean;
  /** Lists with the same identity have the same items, which are records. */
  readonly identity?: object;
}
