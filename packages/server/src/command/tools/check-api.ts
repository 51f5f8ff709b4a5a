import { type ApiChange, compareDefinitions } from '@ashlar/lifecycle';
import type { CommandSurroundings } from '../command-surroundings.ts';
import { UsageError } from '../usage-error.ts';
import { readDefinitions } from './definition-files.ts';

/**
 * Runs `ashlar check-api`: lists the differences between two sets of definitions, and which of them break stored objects or clients.
 * @param paths two files or folders: the old and the new definitions
 * @returns the exit status: 1 where a change is breaking
 * @throws UsageError
 */
export function checkApi(paths: readonly string[], { stdout }: CommandSurroundings): number {
  const [before, after, ...more] = paths;
  if (before === undefined || after === undefined || more.length > 0)
    throw new UsageError('check-api needs two files or folders: the old and the new definitions');
  const changes = compareDefinitions(readDefinitions([before]), readDefinitions([after]));
  for (const change of changes) stdout(`${line(change)}\n`);
  const broken = changes.filter(({ breaks }) => breaks.length > 0).length;
  stdout(`${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${broken} of them breaking\n`);
  return broken > 0 ? 1 : 0;
}

function line({ type, version, path, change, breaks }: ApiChange): string {
  const place = [type, version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${place}: ${change}${breaks.length > 0 ? ` (breaks ${breaks.join(' and ')})` : ''}`;
}
