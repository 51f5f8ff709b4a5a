import { apiVersionOf, type Schema } from '@ashlar/core';
import type { ResourceDefinition, ResourceVersion } from '@ashlar/registry';
import { toTypeScript, toZodSource } from '@ashlar/schema';
import type { CommandSurroundings } from '../command-surroundings.ts';
import type { TypesFlags } from '../flags/types-flags.ts';
import { UsageError } from '../usage-error.ts';
import { readDefinitions } from './definition-files.ts';

/**
 * Runs `ashlar types`: prints the TypeScript types of the objects that definitions describe, or zod schemas of their parts.
 * @param paths files, or folders of files
 * @returns the exit status
 * @throws UsageError
 */
export function types(
  flags: TypesFlags,
  paths: readonly string[],
  surroundings: CommandSurroundings,
): number {
  if (paths.length === 0) throw new UsageError('types needs a file');
  const versions = namedVersions(readDefinitions(paths, flags.vocabulary));
  surroundings.stdout(flags.zod ? zodModule(versions, surroundings) : typeScriptModule(versions));
  return 0;
}

/** A version of a kind, with the name of its types. */
interface NamedVersion {
  readonly name: string;
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersion;
}

/** Names types by their kind; version and then group are added where that is ambiguous. */
function namedVersions(definitions: readonly ResourceDefinition[]): readonly NamedVersion[] {
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

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function typeScriptModule(versions: readonly NamedVersion[]): string {
  const declarations = versions.map((each) =>
    written(each, () => toTypeScript(objectSchema(each), { name: each.name, metadataType: 'ObjectMeta' })),
  );
  return ["import type { ObjectMeta } from '@ashlar/core';\n", ...declarations].join('\n');
}

/** Returns the schema of a version, including the fields of every object. */
function objectSchema({ definition, version }: NamedVersion): Schema {
  const { group, names } = definition;
  const { schema } = version;
  const { apiVersion: _, kind: __, metadata: ___, ...own } = schema.properties ?? {};
  const common = ['apiVersion', 'kind', 'metadata'];
  return {
    ...schema,
    required: [...common, ...(schema.required ?? []).filter((name) => !common.includes(name))],
    properties: {
      apiVersion: { type: 'string', enum: [apiVersionOf({ group, version: version.name })] },
      kind: { type: 'string', enum: [names.kind] },
      metadata: { type: 'object' },
      ...own,
    },
  };
}

/** Prints one constant for each top-level field of a kind, such as spec and status. */
function zodModule(versions: readonly NamedVersion[], { stderr }: CommandSurroundings): string {
  const constants = versions.flatMap((each) =>
    Object.entries(each.version.schema.properties ?? {})
      .filter(([part]) => !['apiVersion', 'kind', 'metadata'].includes(part))
      .map(([part, schema]) =>
        written(each, () =>
          toZodSource(schema, {
            name: each.name.charAt(0).toLowerCase() + each.name.slice(1) + capital(part),
            report: (path, keyword) =>
              stderr(
                `${each.name} ${[part, path].filter((step) => step !== '').join('.')}: ${keyword} is omitted\n`,
              ),
          }),
        ),
      ),
  );
  return ["import { z } from 'zod';\n", ...constants].join('\n');
}

function written({ name }: NamedVersion, write: () => string): string {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new UsageError(`${name}: ${error.message}`);
  }
}
