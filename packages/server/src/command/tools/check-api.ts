import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ApiChange,
  type ApiRelease,
  checkApiHistory,
  compareDefinitions,
  type ReleasedDefinition,
} from '@ashlar/lifecycle';
import type { CommandSurroundings } from '../command-surroundings.ts';
import { UsageError } from '../usage-error.ts';
import { type DescribedType, readDefinitions } from './definition-files.ts';
import { readReleaseFile } from './released-elements.ts';

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

/**
 * Runs `ashlar check-api --history`: applies the rules of deprecation to the releases of an API, each of which is a folder of
 * definitions and may have a `release.yaml`. Releases are in the order of their names, numbers counting as such.
 * @returns the exit status: 1 where a rule is broken
 * @throws UsageError
 */
export function checkHistory(
  folder: string,
  paths: readonly string[],
  { stdout }: CommandSurroundings,
): number {
  if (paths.length > 0) throw new UsageError('flag --history names everything that check-api reads');
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new UsageError(`flag --history: ${folder} is no folder`);
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const history = names
    .map(({ name }) => name)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    .map((name) => readRelease(join(folder, name), name));
  if (history.length < 2) throw new UsageError(`flag --history: ${folder} has fewer than two releases`);
  const findings = checkApiHistory(history);
  for (const { release, type, version, message, rule } of findings)
    stdout(`${release}: ${[type, version].filter(Boolean).join(' ')} ${message} (rule ${rule})\n`);
  stdout(
    `${history.length} releases, ${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}\n`,
  );
  return findings.length > 0 ? 1 : 0;
}

function readRelease(folder: string, name: string): ApiRelease {
  return {
    ...{ name, definitions: readDefinitions([folder]).map(released) },
    ...readReleaseFile(folder),
  };
}

/** `… is deprecated; use example.com/v2 Widget` */
function replacementIn(warning: string): string | undefined {
  const [, named] = warning.split('; use ', 2);
  return named?.split(' ', 1)[0]?.split('/').at(-1);
}

/** Warnings of deprecated versions name what replaces them. */
function released(definition: DescribedType): ReleasedDefinition {
  return {
    ...definition,
    versions: definition.versions.map((version) => {
      const replacement = replacementIn(version.warning ?? '');
      const { name, served, storage, schema, warning, subresources, views, selectableFields } = version;
      return {
        ...{ name, served, storage, schema },
        deprecated: (warning ?? '') !== '',
        ...(subresources && { subresources }),
        ...(views && { views }),
        ...(selectableFields && { selectableFields }),
        ...(replacement !== undefined && { replacement }),
      };
    }),
  };
}

function line({ type, version, path, change, breaks }: ApiChange): string {
  const place = [type, version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${place}: ${change}${breaks.length > 0 ? ` (breaks ${breaks.join(' and ')})` : ''}`;
}
