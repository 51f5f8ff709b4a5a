import type { ObjectList } from '@ashlar/registry';

/** Kind, version and metadata of a list; keys in the order in which they are printed. */
export interface ListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}

/** Returns the metadata of a list. */
export function listMetadata({ resourceVersion, continue: next, remainingItemCount }: ObjectList): object {
  const metadata: Record<string, unknown> = {};
  if (resourceVersion !== '') metadata.resourceVersion = resourceVersion;
  if (next !== undefined) metadata.continue = next;
  if (remainingItemCount !== undefined) metadata.remainingItemCount = remainingItemCount;
  return metadata;
}

/** Returns the head of a list of custom objects, whose keys are sorted: what comes before the items, and what comes after them. */
export function sortedHead({ apiVersion, kind, metadata }: ListHead): {
  readonly before: object;
  readonly after: object;
} {
  const sorted = Object.fromEntries(Object.entries(metadata).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { before: { apiVersion }, after: { kind, metadata: sorted } };
}
