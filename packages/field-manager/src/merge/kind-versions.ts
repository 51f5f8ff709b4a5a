import { doneSteps, type JsonObject, type Steps } from '@ashlar/core';
import type { FieldSet } from '../fieldpath/field-set.ts';
import type { FieldType } from '../typed/field-type.ts';
import { isLarge, weighAll } from '../values/large-parts.ts';

/** The versions of a kind, as ownership needs them. */
export interface KindVersions {
  /** Returns the field types of a version; undefined for one that the server does not know, whose managers are dropped. */
  typeOf(apiVersion: string): FieldType | undefined;
  /**
   * Whether objects can be asked for in a version at all, known or not; default yes. The fields of an object with a manager of
   * another version are not tracked.
   */
  isConvertible?(apiVersion: string): boolean;
  /**
   * Converts an object to another version that {@link typeOf} supports. Throws if the object cannot be
   * represented in it.
   */
  convert(object: JsonObject, apiVersion: string): JsonObject;
  /** Fields that have no owner when written through this endpoint, by version (semantics/apply#reset-fields). */
  resetFields?(apiVersion: string): FieldSet | undefined;
}

/** An object in its version, with its type. */
export interface VersionedObject {
  readonly apiVersion: string;
  readonly object: JsonObject;
  readonly type: FieldType;
}

/** The object in a version; undefined if the version is not known, or has no place for it. */
export function inVersion(
  versions: KindVersions,
  from: VersionedObject,
  apiVersion: string,
): Steps<VersionedObject | undefined> {
  return from.apiVersion === apiVersion ? doneSteps(from) : convertSteps(versions, from, apiVersion);
}

function* convertSteps(
  versions: KindVersions,
  from: VersionedObject,
  apiVersion: string,
): Steps<VersionedObject | undefined> {
  const type = versions.typeOf(apiVersion);
  if (!type) return undefined;
  const object = converted(versions, from.object, apiVersion);
  if (!object) return undefined;
  if (isLarge(from.object)) yield* weighAll(object);
  return { apiVersion, type, object };
}

function converted(versions: KindVersions, object: JsonObject, apiVersion: string): JsonObject | undefined {
  try {
    return versions.convert(object, apiVersion);
  } catch {
    return undefined;
  }
}
