import { type ApiObject, apiVersionOf, type FieldError, runAtOnce, type Schema } from '@ashlar/core';
import type { Release } from '@ashlar/lifecycle';
import { type ResourceDefinition, storageVersion } from '@ashlar/registry';

/**
 * A version of a kind that releases no longer serve: its schema with its defaults, and the conversion to and from the version that is
 * stored today.
 */
export interface WithdrawnVersion {
  readonly group: string;
  readonly version: string;
  /** The kind as it is served today. */
  readonly current: ResourceDefinition;
  readonly schema: Schema;
  /** Sets the defaults of this version. */
  complete(object: ApiObject): ApiObject;
  /** Converts a complete object of this version to the stored one. */
  toCurrent(object: ApiObject): ApiObject;
  /**
   * Returns an object of the stored version that means the same as a converted one and can be created, where that one could only be kept
   * as it was.
   */
  toCreatable?(current: ApiObject): ApiObject;
  /** Converts an object of the stored version to this one. */
  fromCurrent(object: ApiObject): ApiObject;
  /**
   * Returns the errors of a new, complete object of this version, without those of its metadata.
   * @param release whose rules apply, where they differ; by default those of today
   */
  createErrors(object: ApiObject, release?: Release): readonly FieldError[];
}

/** What differs between a withdrawn version and the one that is stored today. */
export type VersionDifferences = Partial<Omit<WithdrawnVersion, 'group' | 'version' | 'current'>>;

/** Returns a withdrawn version: by default its fields, defaults and rules are those of the stored version. */
export function withdrawnVersion(
  current: ResourceDefinition,
  { group = current.group, version }: { readonly group?: string; readonly version: string },
  differences: VersionDifferences = {},
): WithdrawnVersion {
  const stored = storageVersion(current);
  const toCurrent =
    differences.toCurrent ?? relabelled(apiVersionOf({ group: current.group, version: stored.name }));
  return {
    group,
    version,
    current,
    schema: stored.schema,
    complete: (object) => stored.complete?.(object) ?? object,
    fromCurrent: relabelled(apiVersionOf({ group, version })),
    createErrors: (object) => newObjectErrors(current, toCurrent(object)),
    ...differences,
    toCurrent,
  };
}

/** Changes nothing but the version. */
export const relabelled =
  (apiVersion: string) =>
  (object: ApiObject): ApiObject => ({ ...object, apiVersion });

/** Returns the errors of a new object of a kind, without those of its metadata. */
export function newObjectErrors(current: ResourceDefinition, object: ApiObject): readonly FieldError[] {
  const { strategy } = current;
  const submitted = strategy.prepareForCreate?.(object) ?? object;
  // what is converted may lack defaults of the stored version
  const prepared = storageVersion(current).complete?.(submitted) ?? submitted;
  if (strategy.validateSteps) return runAtOnce(strategy.validateSteps(prepared));
  return strategy.validate?.(prepared) ?? [];
}
