import { resolve } from 'node:path';
import { orchVocabulary, type Vocabulary, vocabularies } from '@ashlar/core';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import { type CheckManifestsFlags, DEFAULT_TARGET } from '../../flags/tools/check-manifests-flags.ts';
import { UsageError } from '../../usage-error.ts';
import { checkText } from './check-document.ts';
import { type FileFinding, findingReport } from './finding-report.ts';
import { isKustomizationFile, patchFilesOf } from './kustomization.ts';
import { type ManifestFile, readManifestFiles, writeManifestFile } from './manifest-files.ts';
import type { DocumentCheck } from './placed-finding.ts';

/**
 * Runs `ashlar check-manifests`: reports the manifests that a release no longer serves or has deprecated, and migrates them with
 * `--fix`. With `--live`, it checks the objects of a cluster.
 * @param paths files, folders, and `-` for standard input
 * @returns the exit status: 1 where something is left that the release does not serve, or that could not be checked
 * @throws UsageError
 */
export function checkManifests(
  flags: CheckManifestsFlags,
  paths: readonly string[],
  surroundings: CommandSurroundings,
): number | Promise<number> {
  if (flags.live !== undefined) return checkLive(flags, flags.live, paths, surroundings);
  const { stdout, stderr } = surroundings;
  if (paths.length === 0)
    throw new UsageError('check-manifests needs a file, a folder, or - for standard input');
  const { target = DEFAULT_TARGET, fix = false, output = 'text' } = flags;
  const files = [...readManifestFiles(paths)];
  const vocabulary = flags.vocabulary ?? commonVocabulary(files);
  const findings: FileFinding[] = [];
  // what was fixed from standard input takes the place of the report
  const report = fix && paths.includes('-') ? stderr : stdout;
  const patches = patchFilesOf(files);
  for (const file of files) {
    const isPatch = patches.has(resolve(file.path));
    const { found, text } = checkFile(file, { target, fix, vocabulary, isPatch });
    findings.push(...found);
    if (!fix || file.text === undefined) continue;
    if (file.path === '-') stdout(text ?? file.text);
    else if (text !== undefined) writeManifestFile(file.path, text);
  }
  report(findingReport(findings, output, target));
  return findings.some(isLeft) ? 1 : 0;
}

/** @throws UsageError for a configuration that cannot be used, and flags that do not fit */
async function checkLive(
  flags: CheckManifestsFlags,
  file: string,
  paths: readonly string[],
  { stdout }: CommandSurroundings,
): Promise<number> {
  if (paths.length > 0) throw new UsageError('flag --live reads a cluster, and no files');
  if (flags.fix) throw new UsageError('flag --fix changes files; with --live nothing is written');
  const { target = DEFAULT_TARGET, output = 'text', vocabulary } = flags;
  const [{ checkCluster }, { clusterConnection }] = await Promise.all([
    import('./live/check-cluster.ts'),
    import('../cluster/cluster-connection.ts'),
  ]);
  using connection = clusterConnection('live', file, vocabulary);
  const findings = await checkCluster(connection, target, vocabulary);
  stdout(findingReport(findings, output, target));
  return findings.some(isLeft) ? 1 : 0;
}

const isLeft = ({ severity, fixed, problems = [] }: FileFinding): boolean =>
  problems.length > 0 || (severity !== 'deprecated' && !fixed);

function checkFile(
  { path, text, error }: ManifestFile,
  check: DocumentCheck,
): { readonly found: readonly FileFinding[]; readonly text?: string } {
  if (text === undefined)
    return { found: [{ file: path, line: 1, severity: 'error', message: error ?? 'cannot be read' }] };
  const { findings, ...changed } = checkText(text, { ...check, isKustomization: isKustomizationFile(path) });
  return { found: findings.map((finding) => ({ file: path, ...finding })), ...changed };
}

/** The vocabulary of which the files name groups; some groups have no domain. */
function commonVocabulary(files: readonly ManifestFile[]): Vocabulary {
  const named = Object.values(vocabularies).filter((vocabulary) =>
    files.some(({ text }) => text?.includes(`.${vocabulary.groupDomain}/v`)),
  );
  return named.length === 1 && named[0] ? named[0] : orchVocabulary;
}
