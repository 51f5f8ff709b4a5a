import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { kubernetesVocabulary } from '@ashlar/core';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** Versions in addition to the one in the path, which are expected next to it as `kubectl.VERSION`. */
const FURTHER_VERSIONS = ['1.31', '1.33'];

/** The real kubectl, in several versions, against a server in this process. */
export const suite: Suite = {
  name: 'kubectl',
  async *run(data) {
    const own = pathOf('kubectl');
    if (own === undefined) {
      yield { id: 'kubectl', outcome: 'skipped', reason: 'there is no kubectl on this machine' };
      return;
    }
    yield* runChecks(data, 'kubectl', own);
    for (const version of FURTHER_VERSIONS) {
      const program = join(dirname(realpathSync(own)), `kubectl.${version}`);
      if (existsSync(program)) yield* runChecks(data, `kubectl ${version}`, program);
      else
        yield {
          id: `kubectl ${version}`,
          outcome: 'skipped',
          reason: `there is no kubectl ${version} on this machine`,
        };
    }
  },
};

async function* runChecks(data: string, name: string, program: string): AsyncIterable<CaseResult> {
  const { error } = spawnSync(program, ['version', '--client']);
  if (error) {
    yield { id: name, outcome: 'skipped', reason: `${name} cannot be run: ${error.message}` };
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-checks-'));
  try {
    await using server = await startServerUnderTest(kubernetesVocabulary);
    cpSync(join(data, 'kubectl'), folder, { recursive: true });
    yield* runCase(name, [join(folder, 'run.sh'), '--kubectl', program, '--server', server.url]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Parses the script's output in the Test Anything Protocol. */
async function* runCase(name: string, words: readonly string[]): AsyncIterable<CaseResult> {
  const run = spawn('bash', [...words, '--token', 'admin-token'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const failure = ({ id, lines }: { id: string; lines: string[] }): CaseResult => ({
    id: `${name}: ${id}`,
    outcome: 'failed',
    input: words,
    expected: 'ok',
    actual: lines,
  });
  let failed: { id: string; lines: string[] } | undefined;
  for await (const line of createInterface(run.stdout)) {
    const [, not, id = ''] = /^(not )?ok (\d+ .*)$/.exec(line) ?? [];
    if (failed && !line.startsWith('#   ')) {
      yield failure(failed);
      failed = undefined;
    }
    if (failed) failed.lines.push(line);
    else if (not) failed = { id, lines: [] };
    else if (id !== '') yield { id: `${name}: ${id}`, outcome: 'passed' };
  }
  if (failed) yield failure(failed);
}

function pathOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}
