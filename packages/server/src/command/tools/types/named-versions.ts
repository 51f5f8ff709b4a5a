import type { ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import { UsageError } from '../../usage-error.ts';

/** A version of a kind, with the name of its types. */
export interface NamedVersion {
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
}

/** Names types by their kind; version and then group are added where that is ambiguous. */
export function namedVersions(definitions: readonly ResourceDefinition[]): readonly NamedVersion[] {
  const versions = definitions.flatMap((definition) =>
    definition.versions.filter(({ served }) => served).map((version) => ({ definition, version })),
  );
  const ways: ((each: { definition: ResourceDefinition; version: ResourceVersion }) => string)[] = [
    ({ definition }) => definition.names.kind,
    ({ definition, version }) => definition.names.kind + capital(version.name),
    ({ definition, version }) =>
      definition.names.kind + capital(version.name) + definition.group.split(/[.-]/).map(capital).join(''),
  ];
  return versions.map((each) => {
    const way = ways.find((name) => versions.filter((other) => name(other) === name(each)).length === 1);
    if (!way) throw new UsageError(`${each.definition.names.kind} is defined more than once`);
    return { name: way(each), ...each };
  });
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Calls a function that writes the text of a version. @throws UsageError that names it */
export function written({ name }: NamedVersion, write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}
