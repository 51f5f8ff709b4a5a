import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
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
  readonly url: string;
  /** Name of the file with the CA certificate. */
  readonly authorityFile: string;
  readonly kubeconfig: string;
  /** Runs the client as the administrator, and returns what it prints. */
  kubectl(...args: readonly string[]): Promise<string>;
}

/** Where a reference server stores, and what it is told besides. */
export interface ReferenceOptions {
  /** URL of an etcd that others use as well. By default it has one of its own. */
  readonly etcdUrl?: string;
  readonly flags?: readonly string[];
}

export async function startReference(options: ReferenceOptions = {}): Promise<Reference> {
  const certificates = await createClientCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'reference-'));
  const port = await freePort();
  const file = (name: string): string => join(certificates.folder, name);
  writeFileSync(
    join(folder, 'tokens.csv'),
    'admin-token,admin,admin-uid,"system:masters"\nalice-token,alice,alice-uid,"dev"\n',
  );
  execFileSync('openssl', ['genrsa', '-out', join(folder, 'sa.key'), '2048'], { stdio: 'ignore' });
  const ownEtcd = options.etcdUrl === undefined ? await spawnEtcd(folder) : undefined;
  const etcdUrl = options.etcdUrl ?? ownEtcd?.url;
  const children = [
    ...(ownEtcd ? [ownEtcd.child] : []),
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
        ...(options.flags ?? []),
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
    url: `https://127.0.0.1:${port}`,
    authorityFile: certificates.authorityFile,
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

async function spawnEtcd(folder: string): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const peerUrl = `http://127.0.0.1:${await freePort()}`;
  const words = [
    ...['--data-dir', join(folder, 'etcd'), '--listen-client-urls', url, '--advertise-client-urls', url],
    ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl],
    ...['--initial-cluster', `default=${peerUrl}`],
  ];
  return { url, child: spawn('etcd', words, { stdio: 'ignore' }) };
}
