import type { JsonObject, JsonValue } from '../json/json.ts';
import { objectMetaSchema } from './meta-schema.ts';

/** Metadata of an object (semantics/metadata#fields). */
export interface ObjectMeta {
  readonly name?: string;
  /** Prefix of a generated `name`, used if `name` is absent. */
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  /** Opaque to clients; inside the server the decimal revision of the store. */
  readonly resourceVersion?: string;
  readonly generation?: number;
  /** RFC 3339, UTC, whole seconds. */
  readonly creationTimestamp?: string | null;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly ManagedFieldsEntry[];
}

/** A reference from a dependent to its owner. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

/** One record of field ownership (semantics/apply#fieldsv1). */
export interface ManagedFieldsEntry {
  readonly manager?: string;
  readonly operation?: 'Apply' | 'Update';
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: 'FieldsV1';
  readonly fieldsV1?: JsonObject;
  readonly subresource?: string;
}

/** Metadata of a list. */
export interface ListMeta {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

/**
 * An object of the API: plain JSON, immutable, shared by reference (ADR 0001).
 * Further fields (`spec`, `status`, `data`, …) are defined by the schema of its kind.
 */
export interface ApiObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly [field: string]: unknown;
}

/** A collection of objects, the response to a list request. */
export interface ApiList<T extends ApiObject = ApiObject> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ListMeta;
  readonly items: readonly T[];
}

/** Types of watch events (semantics/list-and-watch#watch). */
export type WatchEventType = 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';

/** One event of a watch. The object of an `ERROR` is a Status. */
export interface WatchEvent<T = ApiObject> {
  readonly type: WatchEventType;
  readonly object: T;
}

/** The value at a path of field names, or undefined if the path leaves the object. */
export function valueAt(value: unknown, path: readonly string[]): JsonValue | undefined {
  let at = value;
  for (const name of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as JsonObject)[name];
  }
  return at as JsonValue | undefined;
}

/**
 * A copy of an object with some metadata replaced; a field that is `undefined` is removed. If a field is added, all are in the order in which
 * built-in kinds print them.
 */
export function withMetadata<T extends ApiObject>(
  object: T,
  changes: { readonly [K in keyof ObjectMeta]?: ObjectMeta[K] | undefined },
): T {
  const metadata: Record<string, unknown> = { ...object.metadata };
  let isAdded = false;
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete metadata[name];
    else {
      isAdded ||= !Object.hasOwn(metadata, name);
      metadata[name] = value;
    }
  }
  return { ...object, metadata: isAdded ? inPrintedOrder(metadata) : metadata };
}

function inPrintedOrder(metadata: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const name of PRINTED) if (metadata[name] !== undefined) ordered[name] = metadata[name];
  return { ...ordered, ...metadata };
}

const PRINTED: readonly string[] = Object.keys(objectMetaSchema.properties ?? {});
