import type { ApiObject, JsonObject, JsonValue, ManagedFieldsEntry } from '@ashlar/core';
import { isLarge, markLarge } from '../values/large-parts.ts';

/** Returns an object with these managed fields, or with none; the object itself if it has them. */
export function withManagedFields(
  object: ApiObject,
  entries: readonly ManagedFieldsEntry[] | undefined,
): ApiObject {
  if (object.metadata?.managedFields === entries) return object;
  const before = object.metadata as unknown as Readonly<Record<string, unknown>> | undefined;
  const metadata: Record<string, unknown> = {};
  for (const name in before) if (name !== 'managedFields') metadata[name] = before?.[name];
  if (entries) metadata.managedFields = entries;
  const copy: { -readonly [K in keyof ApiObject]: ApiObject[K] } = { ...object };
  // not in the literal above: of the many kinds that pass here, the engine looks the member up anew each time there
  copy.metadata = stillLarge(before, metadata) as ApiObject['metadata'];
  return stillLarge(object, copy);
}

/** A copy of a large object, without its managed fields, is large as well. */
function stillLarge<T extends object>(original: object | undefined, copy: T): T {
  if (isLarge(original as JsonValue | undefined)) markLarge(copy as JsonObject, Object.keys(copy));
  return copy;
}
