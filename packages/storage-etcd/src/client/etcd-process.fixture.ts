import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { delimiter, join } from 'node:path';
import {
  DatabaseProcess,
  dataDirectory,
  freePort,
} from '../../../storage/src/suites/database-process.fixture.ts';

/** The etcd program of the tests: `ETCD`, or `etcd` in the PATH. */
export const etcdProgram: string | undefined = process.env.ETCD ?? inPath('etcd');

/** Why tests are skipped without it. */
export const NO_ETCD = 'there is no etcd: neither ETCD names one nor is one in the PATH';

function inPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** One member of a cluster. */
export type EtcdProcess = DatabaseProcess;

/** Whether it listens; whether it can serve is up to the client. */
function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Starts members of one cluster that elect a leader quickly, and waits until they listen. */
export async function startCluster(
  size: number,
  flags: readonly string[] = [],
  scheme = 'http',
): Promise<EtcdProcess[]> {
  const ports = await Promise.all(
    Array.from({ length: size }, async () => [await freePort(), await freePort()]),
  );
  const peers = ports.map(([, peer], i) => `m${i}=http://127.0.0.1:${peer}`).join();
  const members = ports.map(([client, peer], i) => {
    const url = `${scheme}://127.0.0.1:${client}`;
    const directory = dataDirectory('etcd');
    const own = `--name m${i} --listen-client-urls ${url} --advertise-client-urls ${url} --initial-cluster ${peers}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    const rest = `--listen-peer-urls ${peerUrl} --initial-advertise-peer-urls ${peerUrl} --log-level error`;
    const timing = size > 1 ? ['--heartbeat-interval', '50', '--election-timeout', '500'] : [];
    return new DatabaseProcess(url, {
      program: etcdProgram as string,
      arguments: ['--data-dir', join(directory, 'data'), ...`${own} ${rest}`.split(' '), ...timing, ...flags],
      directory,
      showsLog: process.env.ETCD_LOG !== undefined,
      killSignal: 'SIGKILL',
      isReady: () => canConnect(client as number),
    });
  });
  await Promise.all(members.map((member) => member.start()));
  return members;
}

/** A cluster of one. */
export async function startEtcd(flags?: readonly string[], scheme?: string): Promise<EtcdProcess> {
  const [member] = await startCluster(1, flags, scheme);
  return member as EtcdProcess;
}
