import { apiVersionOf, compareApiVersions } from '@ashlar/core';

/** The parts of a custom resource definition that its warnings name. */
export interface WarnedDefinition {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly {
    readonly name: string;
    readonly served: boolean;
    readonly deprecated?: boolean;
  }[];
}

/**
 * Returns the default warning of a deprecated version of a custom type: it recommends the version of the highest priority
 * that is served, not deprecated and newer (semantics/lifecycle#deprecation).
 */
export function definitionWarning({ group, kind, versions }: WarnedDefinition, name: string): string {
  const typeOf = (version: string): string => `${apiVersionOf({ group, version })} ${kind}`;
  const [newest] = versions
    .filter(
      ({ served, deprecated, name: other }) => served && !deprecated && compareApiVersions(name, other) < 0,
    )
    .map((version) => version.name)
    .sort((a, b) => compareApiVersions(b, a));
  const instead = newest === undefined ? '' : `; use ${typeOf(newest)}`;
  return `${typeOf(name)} is deprecated${instead}`;
}
