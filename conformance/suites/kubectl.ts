import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { kubernetesVocabulary } from '@ashlar/core';
import { startServerUnderTest } from '../server-under-test.ts';
import type { Suite } from '../suite.ts';

/** What later checks use; as checks of their own 2 and 3 need rooms that do not stand yet. */
const PREPARATIONS = ['1', '2', '3'];

/** Checks that need no room beyond those that stand. */
const CHECKS = [
  1, 4, 8, 12, 14, 16, 17, 19, 20, 21, 22, 23, 24, 25, 34, 35, 36, 37, 39, 40, 43, 44, 46, 47, 48, 49, 50, 52,
  63, 64,
];

/** The real kubectl against a server in this process. */
export const suite: Suite = {
  name: 'kubectl',
  async *run(data) {
    if (spawnSync('kubectl', ['version', '--client']).error) {
      yield { id: 'kubectl', outcome: 'skipped', reason: 'there is no kubectl on this machine' };
      return;
    }
    await using server = await startServerUnderTest(kubernetesVocabulary);
    const only = `^(${[...PREPARATIONS, ...CHECKS].join('|')}) `;
    const script = join(data, 'kubectl', 'run.sh');
    const run = spawn('bash', [script, '--server', server.url, '--token', 'admin-token', '--only', only], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const judged = (id: string): boolean => CHECKS.includes(Number(id.split(' ')[0]));
    let failed: { id: string; lines: string[] } | undefined;
    for await (const line of createInterface(run.stdout)) {
      const [, not, id = ''] = /^(not )?ok (\d+ .*)$/.exec(line) ?? [];
      if (failed && !line.startsWith('#   ')) {
        yield { id: failed.id, outcome: 'failed', input: script, expected: 'ok', actual: failed.lines };
        failed = undefined;
      }
      if (failed) failed.lines.push(line);
      else if (id !== '' && !judged(id)) yield { id, outcome: 'skipped', reason: 'needs later rooms' };
      else if (not) failed = { id, lines: [] };
      else if (id !== '') yield { id, outcome: 'passed' };
    }
    if (failed)
      yield { id: failed.id, outcome: 'failed', input: script, expected: 'ok', actual: failed.lines };
  },
};
