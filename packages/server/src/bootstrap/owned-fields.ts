import type { JsonObject } from '@ashlar/core';

// What the server owns of the objects that every server begins with is prepared: a start finds out nothing that is known
// (semantics/lifecycle#objects-at-start).

/** The `fieldsV1` of an object with this label alone. */
export const ownLabel = (key: string): JsonObject => ({
  'f:metadata': { 'f:labels': { '.': {}, [`f:${key}`]: {} } },
});

/** The `fieldsV1` of an object with this label, and with a spec of values without parts. */
export const ownLabelAndSpec = (key: string, spec: object): JsonObject => ({
  ...ownLabel(key),
  'f:spec': Object.fromEntries(
    Object.keys(spec)
      .sort()
      .map((name) => [`f:${name}`, {}]),
  ),
});
