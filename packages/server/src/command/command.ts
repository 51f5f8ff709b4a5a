import { nearestName, ownMember } from '@ashlar/core';
import { serverVersion } from '../assembly/server-version.ts';
import type { CommandSurroundings } from './command-surroundings.ts';
import { flagsHelp, parseArguments, parseFlags } from './flags/flags.ts';
import { serveFlags } from './flags/serve-flags.ts';
import { checkApiFlags } from './flags/tools/check-api-flags.ts';
import { checkManifestsFlags } from './flags/tools/check-manifests-flags.ts';
import { migrateStorageFlags } from './flags/tools/migrate-storage-flags.ts';
import { typesFlags } from './flags/tools/types-flags.ts';
import { vetFlags } from './flags/tools/vet-flags.ts';
import { startStorageThread } from './storage/start-storage-thread.ts';
import { StartError, UsageError } from './usage-error.ts';

const HELP = `ashlar: an API server for typed resources

  ashlar serve [flags]        run a server until SIGINT or SIGTERM
  ashlar vet [flags] FILE…    check whether a server would accept the documents of the files
  ashlar types [flags] FILE…  print TypeScript types or zod schemas of custom resource definitions
  ashlar check-manifests [flags] FILE|DIR|-…
                              find, and migrate, manifests in versions that a release does not serve; or check a cluster
  ashlar check-api OLD NEW    list changes between two files or folders of definitions, and which of them are breaking
  ashlar migrate-storage [flags] [RESOURCE…]
                              write stored objects again, in the version and with the key of today
  ashlar prepare              compile the command once, for faster starts
  ashlar COMMAND --help       print the flags of one command
  ashlar --help               print this help
  ashlar --version            print the version of the server

Flags of serve

${flagsHelp(serveFlags)}

Flags of vet

${flagsHelp(vetFlags)}

Flags of types

${flagsHelp(typesFlags)}

Flags of check-manifests

${flagsHelp(checkManifestsFlags)}

Flags of migrate-storage

${flagsHelp(migrateStorageFlags)}
`;

/** The help of one command. */
const COMMANDS: Readonly<Record<string, string>> = {
  serve: `ashlar serve [flags]: run a server until SIGINT or SIGTERM\n\n${flagsHelp(serveFlags)}\n`,
  vet: `ashlar vet [flags] FILE…: check whether a server would accept the documents of the files, of which definitions count for the others\n\n${flagsHelp(vetFlags)}\n`,
  types: `ashlar types [flags] FILE…: print TypeScript types or zod schemas of custom resource definitions\n\n${flagsHelp(typesFlags)}\n`,
  'check-manifests': `ashlar check-manifests [flags] FILE|DIR|-…: find, and migrate, manifests in versions that a release does not serve\n\n${flagsHelp(checkManifestsFlags)}\n`,
  'migrate-storage': `ashlar migrate-storage [flags] [RESOURCE…]: write stored objects again, in the version and with the key of today\n\n${flagsHelp(migrateStorageFlags)}\n`,
  'check-api': `ashlar check-api OLD NEW: list changes between two files or folders of definitions, and which of them are breaking\n\n${flagsHelp(checkApiFlags)}\n`,
  prepare: `ashlar prepare: run a server for a moment, and keep the compiled code of the command beside it, for faster starts\n`,
};

const HELP_FLAGS: ReadonlySet<string> = new Set(['--help', '-h']);
const HELP_ARGUMENTS: ReadonlySet<string> = new Set([...HELP_FLAGS, 'help']);

/**
 * Runs the `ashlar` command. Invalid arguments are reported in one sentence with exit status 2, storage that fails at the
 * start with one sentence and exit status 1.
 * @returns the exit status
 */
export async function runCommand(
  words: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  const [command, ...rest] = words;
  try {
    if (command === undefined || HELP_ARGUMENTS.has(command) || rest.some((word) => HELP_FLAGS.has(word))) {
      surroundings.stdout((command !== undefined && ownMember(COMMANDS, command)) || HELP);
      return command === undefined ? 2 : 0;
    }
    if (command === '--version') {
      surroundings.stdout(`${serverVersion.gitVersion}\n`);
      return 0;
    }
    if (command === 'vet') {
      const { flags, operands } = parseArguments(vetFlags, rest);
      const { vet } = await import('./tools/vet/vet.ts');
      return await vet(flags, operands, surroundings);
    }
    if (command === 'types') {
      const { flags, operands } = parseArguments(typesFlags, rest);
      const { types } = await import('./tools/types/types.ts');
      return await types(flags, operands, surroundings);
    }
    if (command === 'check-manifests') {
      const { flags, operands } = parseArguments(checkManifestsFlags, rest);
      const { checkManifests } = await import('./tools/manifests/check-manifests.ts');
      return await checkManifests(flags, operands, surroundings);
    }
    if (command === 'migrate-storage') {
      const { flags, operands } = parseArguments(migrateStorageFlags, rest);
      const { migrateStorage } = await import('./tools/migration/migrate-storage.ts');
      return await migrateStorage(flags, operands, surroundings);
    }
    if (command === 'check-api') {
      const { flags, operands } = parseArguments(checkApiFlags, rest);
      const { checkApi, checkHistory } = await import('./tools/check-api.ts');
      return flags.history === undefined
        ? checkApi(operands, surroundings)
        : checkHistory(flags.history, operands, surroundings);
    }
    if (command === 'prepare') {
      parseFlags({}, rest);
      const { prepare } = await import('./tools/prepare/prepare.ts');
      return await prepare(surroundings);
    }
    if (command !== 'serve') throw unknownCommand(command);
    const flags = parseFlags(serveFlags, rest, (sentence, parsed) => {
      if (parsed['deprecation-warnings'] !== false) surroundings.stderr(`ashlar: ${sentence}\n`);
    });
    using thread = await startStorageThread(flags);
    const { serve } = await import('./serve/serve.ts');
    await serve(flags, surroundings, thread);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof StartError)) throw error;
    surroundings.stderr(`ashlar: ${error.message}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

function unknownCommand(command: string): UsageError {
  const suggestion = command.startsWith('--')
    ? `ashlar serve ${command}`
    : nearestName(command, Object.keys(COMMANDS));
  const help = suggestion === undefined ? '' : `, did you mean ${JSON.stringify(suggestion)}?`;
  return new UsageError(`unknown command ${JSON.stringify(command)}${help}; see ashlar --help`);
}
