import type { CommandSurroundings } from '../../command-surroundings.ts';
import type { TypesFlags } from '../../flags/tools/types-flags.ts';
import { UsageError } from '../../usage-error.ts';
import { readDefinitions } from '../definition-files.ts';
import { followPaths } from './follow-paths.ts';
import { groupModules } from './group-modules.ts';
import { namedVersions } from './named-versions.ts';
import { typeScriptModule } from './typescript-module.ts';
import { writeModules } from './write-modules.ts';
import { zodModule } from './zod-module.ts';

/**
 * Runs `ashlar types`: prints the TypeScript types of the objects that definitions describe, or zod schemas of their parts; or writes a module
 * for each group into a folder, once or whenever a file changes.
 * @param paths files, or folders of files
 * @returns the exit status
 * @throws UsageError
 */
export async function types(
  flags: TypesFlags,
  paths: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  if (paths.length === 0) throw new UsageError('types needs a file');
  if (flags.watch && flags.out === undefined) throw new UsageError('flag --watch needs --out');
  const write = (): void => writeTypes(flags, paths, surroundings);
  if (!flags.watch) {
    write();
    return 0;
  }
  await followPaths(paths, surroundings.signal, () => {
    try {
      write();
    } catch (error) {
      // the next change may repair it
      if (!(error instanceof UsageError)) throw error;
      surroundings.stderr(`ashlar: ${error.message}\n`);
    }
  });
  return 0;
}

function writeTypes(flags: TypesFlags, paths: readonly string[], surroundings: CommandSurroundings): void {
  const definitions = readDefinitions(paths, flags.vocabulary);
  if (flags.out !== undefined) {
    const modules = groupModules(definitions, flags.zod === true, surroundings);
    for (const file of writeModules(flags.out, modules)) surroundings.stdout(`${file}\n`);
    return;
  }
  const versions = namedVersions(definitions);
  surroundings.stdout(flags.zod ? zodModule(versions, surroundings) : typeScriptModule(versions));
}
