import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { kubernetesVocabulary } from '@ashlar/core';
import { startServerUnderTest } from '../server-under-test.ts';
import type { CaseResult, Suite } from '../suite.ts';

/** What later checks use; as a check of its own 2 needs a room that does not stand yet. */
const PREPARATIONS = ['1', '2', '3'];

/** Checks that need no room beyond those that stand, or of which a part does (`LEFT_OUT`). */
const CHECKS = [
  1, 3, 4, 8, 12, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 34, 35, 36, 37, 39, 40, 43, 44, 46, 47, 48, 49,
  50, 52, 53, 54, 63, 64,
];

/** Lines of checks that need custom resources or tokens of service accounts, by the function that holds them. */
const LEFT_OUT: Readonly<Record<string, RegExp>> = {
  c_serviceaccount: /token|whoami/,
  c_dry_run: /widget/,
  c_watch_only: /widget|\bwo\b/,
  c_wait: /widget|\bwt\b/,
};

/** Versions beside the one in the path that are looked for where that one really lies, as `kubectl.VERSION`. */
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
    yield* judge(name, [copyChecks(data, folder), '--kubectl', program, '--server', server.url]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The script without the lines that need what is not there; its path. */
function copyChecks(data: string, folder: string): string {
  cpSync(join(data, 'kubectl'), folder, { recursive: true });
  const script = join(folder, 'run.sh');
  let within = '';
  const lines = readFileSync(script, 'utf8')
    .split('\n')
    .filter((line) => {
      within = /^(c_\w+)\(\)/.exec(line)?.[1] ?? (line === '}' ? '' : within);
      return line.startsWith('c_') || !LEFT_OUT[within]?.test(line);
    });
  writeFileSync(script, lines.join('\n'));
  return script;
}

/** Reads what the script says in the Test Anything Protocol. */
async function* judge(name: string, words: readonly string[]): AsyncIterable<CaseResult> {
  const only = `^(${[...PREPARATIONS, ...CHECKS].join('|')}) `;
  const run = spawn('bash', [...words, '--token', 'admin-token', '--only', only], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const judged = (id: string): boolean => CHECKS.includes(Number(id.split(' ')[0]));
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
    else if (id !== '' && !judged(id))
      yield { id: `${name}: ${id}`, outcome: 'skipped', reason: 'needs later rooms' };
    else if (not) failed = { id, lines: [] };
    else if (id !== '') yield { id: `${name}: ${id}`, outcome: 'passed' };
  }
  if (failed) yield failure(failed);
}

function pathOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, program)).find((file) => existsSync(file));
}
