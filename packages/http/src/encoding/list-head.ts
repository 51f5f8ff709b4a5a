import type { ObjectList } from '@ashlar/registry';

/** Kind, version and metadata of a list; keys in the order in which they are printed. */
export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}

/** Returns the metadata of a list. */
export function listMetadata({ resourceVersion, continue: next, remainingItemCount }: ObjectList): object {
  return {
    resourceVersion,
    ...(next !== undefined && { continue: next }),
    ...(remainingItemCount !== undefined && { remainingItemCount }),
  };
}
