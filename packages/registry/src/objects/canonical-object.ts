import { type ApiObject, isEmptyObject, type ObjectMeta } from '@ashlar/core';

/** Metadata in the order in which it is printed (semantics/metadata#fields). */
const ORDER: readonly (keyof ObjectMeta)[] = [
  'name',
  'generateName',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

const OWN = { configurable: true, enumerable: true, writable: true } as const;

type MetadataChanges = { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined };

/** Returns an object with some metadata replaced (`undefined` removes a field), its keys in canonical order. */
export function withCanonicalMetadata(object: ApiObject, changes: MetadataChanges): ApiObject {
  const metadata: Record<string, unknown> = {};
  for (const name of ORDER) {
    let value: unknown = changes[name];
    if (value === undefined) {
      value = object.metadata[name];
      if (value === undefined || name in changes) continue;
    }
    if (!isEmpty(value)) metadata[name] = value;
  }
  const { kind, apiVersion } = object;
  const result: Record<string, unknown> = { kind, apiVersion, metadata };
  const members: Readonly<Record<string, unknown>> = object as unknown as Record<string, unknown>;
  for (const name in members) {
    if (name === 'kind' || name === 'apiVersion' || name === 'metadata') continue;
    // custom objects may have a member `__proto__`, which assignment would lose
    if (name === '__proto__') Object.defineProperty(result, name, { ...OWN, value: members[name] });
    else result[name] = members[name];
  }
  return result as unknown as ApiObject;
}

/** Returns a submitted object without the metadata that only a server sets, in the namespace of its request, if the kind has one. */
export function withoutSystemMetadata(submitted: ApiObject, namespace: string | undefined): ApiObject {
  return withCanonicalMetadata(submitted, {
    uid: undefined,
    creationTimestamp: undefined,
    deletionTimestamp: undefined,
    deletionGracePeriodSeconds: undefined,
    namespace,
  });
}

function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === '';
  if (Array.isArray(value)) return value.length === 0;
  return isEmptyObject(value);
}
