import type { ObjectMeta } from '@ashlar/core';

/** Metadata that replace those of an object; `undefined` removes a field. */
export type MetadataChanges = { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

/** What writes of a status do not change, where the kind leaves metadata to its main endpoint. */
export const restoredMetadata = ({
  labels,
  annotations,
  finalizers,
  ownerReferences,
  deletionTimestamp,
}: ObjectMeta): MetadataChanges => ({ labels, annotations, finalizers, ownerReferences, deletionTimestamp });

/** The same where the kind leaves everything to its main endpoint. */
export const allRestoredMetadata = (stored: ObjectMeta): MetadataChanges => ({
  ...restoredMetadata(stored),
  uid: stored.uid,
  generateName: stored.generateName,
  deletionGracePeriodSeconds: stored.deletionGracePeriodSeconds,
});
