import { orchVocabulary, type Vocabulary, vocabularies } from '@ashlar/core';
import type { CommandSurroundings } from '../../command-surroundings.ts';
import { type CheckManifestsFlags, DEFAULT_TARGET } from '../../flags/check-manifests-flags.ts';
import { UsageError } from '../../usage-error.ts';
import { checkDocument, type DocumentCheck } from './check-document.ts';
import { documentTexts } from './document-text.ts';
import { type FileFinding, findingReport } from './finding-report.ts';
import { type ManifestFile, readManifestFiles, writeManifestFile } from './manifest-files.ts';

/**
 * Runs `ashlar check-manifests`: reports the manifests that a release no longer serves or has deprecated, and migrates them with
 * `--fix`.
 * @param paths files, folders, and `-` for standard input
 * @returns the exit status: 1 where something is left that the release does not serve, or that could not be checked
 * @throws UsageError
 */
export function checkManifests(
  flags: CheckManifestsFlags,
  paths: readonly string[],
  { stdout, stderr }: CommandSurroundings,
): number {
  if (paths.length === 0)
    throw new UsageError('check-manifests needs a file, a folder, or - for standard input');
  const { target = DEFAULT_TARGET, fix = false, output = 'text' } = flags;
  const files = [...readManifestFiles(paths)];
  const vocabulary = flags.vocabulary ?? commonVocabulary(files);
  const findings: FileFinding[] = [];
  // what was fixed from standard input takes the place of the report
  const report = fix && paths.includes('-') ? stderr : stdout;
  for (const file of files) {
    const { found, text } = checkFile(file, { target, fix, vocabulary });
    findings.push(...found);
    if (!fix || file.text === undefined) continue;
    if (file.path === '-') stdout(text ?? file.text);
    else if (text !== undefined) writeManifestFile(file.path, text);
  }
  report(findingReport(findings, output, target));
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
  const found: FileFinding[] = [];
  let changed = '';
  let end = 0;
  for (const document of documentTexts(text)) {
    const checked = checkDocument(document, check);
    found.push(...checked.findings.map((finding) => ({ file: path, ...finding })));
    if (checked.text === undefined) continue;
    changed += text.slice(end, document.start) + checked.text;
    end = document.start + document.text.length;
  }
  return end === 0 ? { found } : { found, text: changed + text.slice(end) };
}

/** The vocabulary of which the files name groups; some groups have no domain. */
function commonVocabulary(files: readonly ManifestFile[]): Vocabulary {
  const named = Object.values(vocabularies).filter((vocabulary) =>
    files.some(({ text }) => text?.includes(`.${vocabulary.groupDomain}/v`)),
  );
  return named.length === 1 && named[0] ? named[0] : orchVocabulary;
}
