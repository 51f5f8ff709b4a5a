import { validateDnsSubdomain } from '@ashlar/core';
import type { ResourceDefinition, ResourceNames, ResourceVersion, Strategy } from '@ashlar/registry';
import { formerVersions } from './former-versions.ts';

/** Parts of a built-in type's strategy with a default that most types share (semantics/metadata#name-formats, #owners-and-finalizers, #updates, semantics/verbs#kinds). */
const ORDINARY: Strategy = {
  validateName: validateDnsSubdomain,
  allowsUnconditionalUpdate: true,
  qualifiedFinalizers: true,
  updateChecks: ['metadata-change', 'metadata'],
};

/** The strategy of a built-in type: defaults of most core types, with overrides. */
export function builtInStrategy(particular: Partial<Strategy>): Strategy {
  return { ...ORDINARY, ...particular };
}

/** The declaration of a built-in type with one version. */
export interface BuiltInType extends Omit<ResourceDefinition, 'names' | 'dialect' | 'versions' | 'strategy'> {
  readonly kind: string;
  readonly plural: string;
  readonly shortNames?: readonly string[];
  readonly version: Omit<ResourceVersion, 'name' | 'served' | 'storage'>;
  readonly strategy: Partial<Strategy>;
}

/** A built-in type whose only version is `v1`. */
export function builtInType({
  kind,
  plural,
  shortNames,
  version,
  strategy,
  ...rest
}: BuiltInType): ResourceDefinition {
  const names: ResourceNames = {
    plural,
    singular: kind.toLowerCase(),
    kind,
    listKind: `${kind}List`,
    ...(shortNames && { shortNames }),
  };
  return {
    ...rest,
    names,
    dialect: 'built-in',
    formerVersions: [...formerVersions(rest.group, kind), ...(rest.formerVersions ?? [])],
    versions: [{ name: 'v1', served: true, storage: true, ...version }],
    strategy: builtInStrategy(strategy),
  };
}
