import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientConfigurationFor } from '@ashlar/server';
import { createClientCertificates } from '../../conformance/client-certificates.ts';
import { freePort } from '../../packages/storage/src/suites/database-process.fixture.ts';

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

/** Whether the reference server, its storage and its client are in the PATH. */
export const hasReference: boolean =
  isThere('kube-apiserver') && isThere('etcd') && spawnSync('kubectl', ['version', '--client']).status === 0;

/** A reference server with a front proxy. */
export interface Reference extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Runs the client as the administrator, and returns what it prints. */
  kubectl(...args: readonly string[]): Promise<string>;
}

export async function startReference(): Promise<Reference> {
  const certificates = await createClientCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  const [port, etcdPort, peerPort] = [await freePort(), await freePort(), await freePort()];
  const file = (name: string): string => join(certificates.folder, name);
  writeFileSync(
    join(folder, 'tokens.csv'),
    'admin-token,admin,admin-uid,"system:masters"\nalice-token,alice,alice-uid,"dev"\n',
  );
  execFileSync('openssl', ['genrsa', '-out', join(folder, 'sa.key'), '2048'], { stdio: 'ignore' });
  const etcdUrl = `http://127.0.0.1:${etcdPort}`;
  const peerUrl = `http://127.0.0.1:${peerPort}`;
  const children = [
    spawn(
      'etcd',
      [
        ...[
          '--data-dir',
          join(folder, 'etcd'),
          '--listen-client-urls',
          etcdUrl,
          '--advertise-client-urls',
          etcdUrl,
        ],
        ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
        ...['--initial-cluster', `default=${peerUrl}`],
      ],
      { stdio: 'ignore' },
    ),
    spawn(
      'kube-apiserver',
      [
        `--etcd-servers=${etcdUrl}`,
        `--secure-port=${port}`,
        '--bind-address=127.0.0.1',
        `--tls-cert-file=${file('server.crt')}`,
        `--tls-private-key-file=${file('server.key')}`,
        `--client-ca-file=${file('ca.crt')}`,
        `--token-auth-file=${join(folder, 'tokens.csv')}`,
        `--service-account-key-file=${join(folder, 'sa.key')}`,
        `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
        '--service-account-issuer=https://reference.local',
        '--authorization-mode=RBAC',
        '--service-cluster-ip-range=10.0.0.0/24',
        '--disable-admission-plugins=ServiceAccount',
        `--proxy-client-cert-file=${file('front-proxy.crt')}`,
        `--proxy-client-key-file=${file('front-proxy.key')}`,
        `--requestheader-client-ca-file=${file('ca.crt')}`,
        '--requestheader-allowed-names=front-proxy',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      ],
      { stdio: 'ignore', cwd: folder },
    ),
  ];
  const kubeconfig = join(folder, 'kubeconfig');
  const configuration = clientConfigurationFor({
    ...{ server: `https://127.0.0.1:${port}`, token: 'admin-token' },
    certificateAuthority: certificates.read('ca.crt'),
  });
  writeFileSync(kubeconfig, configuration);
  const kubectl = async (...args: readonly string[]): Promise<string> =>
    (await promisify(execFile)('kubectl', ['--kubeconfig', kubeconfig, ...args])).stdout;
  const isReady = async (): Promise<boolean> =>
    (await kubectl('get', '--raw', '/readyz').catch(() => '')) === 'ok';
  while (!(await isReady())) {
    if (children.some(({ exitCode }) => exitCode !== null)) throw new Error('the reference has ended');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    kubeconfig,
    kubectl,
    async [Symbol.asyncDispose]() {
      for (const child of children.reverse()) {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }
      certificates[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
