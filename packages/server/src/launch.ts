import { fileURLToPath } from 'node:url';
import type { CommandSurroundings, runCommand } from './command.ts';
import { loadProgram } from './launch/load-program.ts';
import { saveWhenIdle } from './launch/save-when-idle.ts';

/** What the bundle of the command exports. */
interface Program {
  readonly runCommand: typeof runCommand;
}

/**
 * Runs the command from its bundle, and sees to its code cache.
 * @returns the exit status
 */
export async function launch(
  bundle: URL,
  words: readonly string[],
  surroundings: CommandSurroundings,
): Promise<number> {
  const { exports, codeCache } = loadProgram<Program>(fileURLToPath(bundle));
  const isToSave = codeCache && codeCache.state !== 'accepted' && words[0] === 'serve';
  using _ = isToSave ? saveWhenIdle(codeCache, surroundings.stderr) : undefined;
  return await exports.runCommand(words, { ...surroundings, ...(codeCache && { codeCache }) });
}
