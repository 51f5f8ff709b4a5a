// Runs the programs of a cluster on this server, as their own users: kube-controller-manager and kube-scheduler, and kwok,
// which plays the nodes. Needs them and kubectl in the PATH. The server runs no controllers that the controller manager has.
//   npx tsup && npx tsx --conditions=@ashlar/source conformance/cluster.ts [--flags '--storage memory'] [--logs FOLDER] [--reference]
// Prints each check, then what the logs of the programs say of conflicts and refusals. Fails if a check fails or a program ends.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startReference } from '../acceptance/aggregation/reference.fixture.ts';
import { startOwnServer } from '../bench/own-server.ts';
import { createClientCertificates } from './client-certificates.ts';
import { checks, type Kubectl } from './cluster/checks.ts';
import { type ClusterProgram, startPrograms, tokenFile } from './cluster/programs.ts';

const { values } = parseArgs({
  options: {
    flags: { type: 'string', default: '--storage memory' },
    logs: { type: 'string' },
    reference: { type: 'boolean', default: false },
  },
});

interface TriedServer extends AsyncDisposable {
  readonly url: string;
  readonly authorityFile: string;
}

async function startServer(folder: string): Promise<TriedServer> {
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, tokenFile);
  if (values.reference)
    return startReference({ flags: [`--token-auth-file=${tokens}`, '--disable-admission-plugins='] });
  const certificates = await createClientCertificates();
  const file = (name: string): string => join(certificates.folder, name);
  const server = await startOwnServer(folder, [
    ...['--tls-cert-file', file('server.crt'), '--tls-private-key-file', file('server.key')],
    ...['--token-auth-file', tokens, '--authorization-mode', 'RBAC', '--controllers=-*'],
    ...values.flags.split(' ').filter(Boolean),
  ]);
  return {
    ...{ url: server.url, authorityFile: certificates.authorityFile },
    async [Symbol.asyncDispose]() {
      await server.stop();
      certificates[Symbol.dispose]();
    },
  };
}

const kubectlFor =
  (configuration: string): Kubectl =>
  (args, input) =>
    new Promise((done, reject) => {
      const words = args.split(' ').map((word) => word.replaceAll('\u00a0', ' '));
      const child = execFile('kubectl', ['--kubeconfig', configuration, ...words], (error, stdout, stderr) =>
        error ? reject(new Error(stderr.trim() || error.message)) : done(stdout),
      );
      child.stdin?.end(input === undefined ? '' : JSON.stringify(input));
    });

async function runChecks(kubectl: Kubectl): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    const start = performance.now();
    const error = await run(kubectl).then(
      () => undefined,
      (error: Error) => error,
    );
    if (error) failed++;
    console.log(
      `${error ? 'failed' : 'passed'} ${((performance.now() - start) / 1000).toFixed(1).padStart(6)} s  ${name}`,
    );
    if (error) console.log(`       ${error.message}`);
  }
  return failed;
}

/** What the log of a program says of writes that were too late, of missing rights, and of other errors. */
function reportLog({ name, log, isRunning }: ClusterProgram): void {
  const lines = log().split('\n');
  const count = (pattern: RegExp): number => lines.filter((line) => pattern.test(line)).length;
  const conflicts = count(/the object has been modified/);
  console.log(
    `${name.padEnd(24)} ${isRunning ? 'running' : 'ended'}, ${conflicts} conflicts, ${count(/forbidden/i)} forbidden, ${count(/^E\d{4}/)} errors`,
  );
}

for (const program of ['kube-controller-manager', 'kube-scheduler', 'kwok', 'kubectl']) {
  if (spawnSync(program, ['--help']).error) throw new Error(`${program} is not in the PATH`);
}
const folder = mkdtempSync(join(tmpdir(), 'cluster-'));
try {
  await using server = await startServer(folder);
  const logs = values.logs ? resolve(values.logs) : join(folder, 'logs');
  mkdirSync(logs, { recursive: true });
  const certificateAuthority = readFileSync(server.authorityFile, 'utf8');
  const programs = await startPrograms({ ...server, certificateAuthority }, logs);
  const failed = await runChecks(kubectlFor(join(logs, 'admin-token.conf')));
  for (const program of programs) reportLog(program);
  const ended = programs.filter(({ isRunning }) => !isRunning).length;
  for (const program of programs) await program[Symbol.asyncDispose]();
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exitCode = failed + ended === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
