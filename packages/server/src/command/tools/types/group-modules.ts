import type { ResourceDefinition } from '@ashlar/registry';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import { namedVersions } from './named-versions.ts';
import { clientModule } from './typescript-module.ts';
import { zodModule } from './zod-module.ts';

/** Returns the text of a module for each group, by the name of its file. */
export function groupModules(
  definitions: readonly ResourceDefinition[],
  isZod: boolean,
  surroundings: CommandSurroundings,
): ReadonlyMap<string, string> {
  const groups = [...new Set(definitions.map(({ group }) => group))].sort();
  return new Map(
    groups.map((group) => {
      const versions = namedVersions(definitions.filter((definition) => definition.group === group));
      // the first group has no name
      const file = `${group === '' ? 'core' : group}.ts`;
      return [file, isZod ? zodModule(versions, surroundings) : clientModule(versions)];
    }),
  );
}
