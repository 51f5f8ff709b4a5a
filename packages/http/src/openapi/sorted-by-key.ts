import type { JsonObject } from '@ashlar/core';

/** Returns an object with its members sorted by key: paths and types of a document. */
export const sortedByKey = (record: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
