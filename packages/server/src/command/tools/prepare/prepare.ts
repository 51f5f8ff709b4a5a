import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import { StartError } from '../../usage-error.ts';
import { TrialServer, writeTrialIdentity } from './trial-server.ts';
import { useEachVerb } from './use-each-verb.ts';

/** The first start creates default objects, the second reads them: other code. */
const STARTS = 2;

/**
 * Runs `ashlar prepare`: serves from a database of its own, sends a request of each kind, and keeps the code that was compiled for it.
 * Says, too, whether this process ran code that was kept before.
 * @returns the exit status
 * @throws StartError where the code cannot be kept
 */
export async function prepare({ stdout, stderr, codeCache }: CommandSurroundings): Promise<number> {
  if (!codeCache)
    throw new StartError(
      'prepare needs the built command, in a folder that this user may write to and others may not',
    );
  await serveForAMoment(stderr);
  try {
    stdout(`${codeCache.file}: ${codeCache.save()} bytes, before: ${codeCache.state}\n`);
  } catch (error) {
    throw new StartError(
      `${codeCache.file} cannot be written (${(error as NodeJS.ErrnoException).code ?? error})`,
    );
  }
  return 0;
}

async function serveForAMoment(stderr: (text: string) => void): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ashlar-'));
  try {
    const identity = await writeTrialIdentity(folder);
    for (let start = 0; start < STARTS; start++) {
      await using server = await TrialServer.start(folder, identity, stderr);
      await useEachVerb(server);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
