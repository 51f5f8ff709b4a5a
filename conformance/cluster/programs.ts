import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { clientConfigurationFor } from '@ashlar/server';
import { freePort } from '../../packages/storage/src/suites/database-process.fixture.ts';

/** The users as which the programs of a cluster call. The nodes are played by one program with all rights. */
const USERS = [
  { token: 'admin-token', name: 'admin', groups: 'system:masters' },
  { token: 'controller-manager-token', name: 'system:kube-controller-manager', groups: '' },
  { token: 'scheduler-token', name: 'system:kube-scheduler', groups: '' },
] as const;

/** The lines of a file of static tokens. */
export const tokenFile: string = USERS.map(
  ({ token, name, groups }) => `${token},${name},${name},"${groups}"\n`,
).join('');

/** A running program, and what it has written to its log. */
export interface ClusterProgram extends AsyncDisposable {
  readonly name: string;
  readonly isRunning: boolean;
  log(): string;
}

interface Server {
  readonly url: string;
  readonly certificateAuthority: string;
  readonly authorityFile: string;
}

/** Starts the controllers, the scheduler and the nodes of a cluster. @param folder for their credentials and logs */
export async function startPrograms(server: Server, folder: string): Promise<readonly ClusterProgram[]> {
  const configuration = (token: string): string => {
    const file = join(folder, `${token}.conf`);
    const { url, certificateAuthority } = server;
    writeFileSync(file, clientConfigurationFor({ server: url, certificateAuthority, token }));
    return `--kubeconfig=${file}`;
  };
  const securePort = async (): Promise<string> => `--secure-port=${await freePort()}`;
  return [
    startProgram(folder, 'kube-controller-manager', [
      configuration('controller-manager-token'),
      '--use-service-account-credentials',
      '--controllers=*',
      `--root-ca-file=${server.authorityFile}`,
      '--leader-elect=true',
      '--bind-address=127.0.0.1',
      await securePort(),
    ]),
    startProgram(folder, 'kube-scheduler', [
      configuration('scheduler-token'),
      '--leader-elect=true',
      '--bind-address=127.0.0.1',
      await securePort(),
    ]),
    startProgram(folder, 'kwok', [
      configuration('admin-token'),
      '--manage-all-nodes=true',
      '--node-lease-duration-seconds=40',
      '--cidr=10.244.0.0/16',
      '--node-ip=127.0.0.1',
      '--node-port=0',
    ]),
  ];
}

function startProgram(folder: string, name: string, flags: readonly string[]): ClusterProgram {
  const file = join(folder, `${name}.log`);
  const child = spawn(name, flags, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  const log = createWriteStream(file);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const gone = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
  return {
    name,
    get isRunning() {
      return isRunning(child);
    },
    log: () => readFileSync(file, 'utf8'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await gone;
      await finished(log.end());
    },
  };
}

const isRunning = ({ pid, exitCode, signalCode }: ChildProcess): boolean =>
  pid !== undefined && exitCode === null && signalCode === null;
