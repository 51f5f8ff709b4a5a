import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The etcd program of the tests: `ETCD`, or `etcd` in the PATH. */
export const etcdProgram: string | undefined = process.env.ETCD ?? inPath('etcd');

/** Why tests are skipped without it. */
export const NO_ETCD = 'there is no etcd: neither ETCD names one nor is one in the PATH';

function inPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** A port that was free a moment ago. */
function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** One member: a process that can be stopped, restarted on the same data, and paused. */
export class EtcdProcess implements AsyncDisposable {
  readonly url: string;
  readonly #flags: readonly string[];
  readonly #directory: string;
  #child: ChildProcess | undefined;

  constructor(url: string, directory: string, flags: readonly string[]) {
    this.url = url;
    this.#directory = directory;
    this.#flags = flags;
  }

  async start(): Promise<void> {
    const program = etcdProgram as string;
    const child = spawn(program, ['--data-dir', join(this.#directory, 'data'), ...this.#flags], {
      stdio: ['ignore', 'ignore', process.env.ETCD_LOG ? 'inherit' : 'ignore'],
    });
    this.#child = child;
    await listens(this.url);
  }

  /** Ends the process; by default with SIGKILL. */
  async stop(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

/** Waits until it listens; whether it can serve is up to the client. */
async function listens(url: string): Promise<void> {
  const { port } = new URL(url);
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await canConnect(Number(port))) return;
    await pause(25);
  }
  throw new Error(`etcd does not listen at ${url}`);
}

async function canConnect(port: number): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** In memory if possible: the tests are not about disks. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

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
    const directory = mkdtempSync(join(ROOM, 'ashlar-etcd-'));
    const own = `--name m${i} --listen-client-urls ${url} --advertise-client-urls ${url} --initial-cluster ${peers}`;
    const peerUrl = `http://127.0.0.1:${peer}`;
    const rest = `--listen-peer-urls ${peerUrl} --initial-advertise-peer-urls ${peerUrl} --log-level error`;
    const timing = size > 1 ? ['--heartbeat-interval', '50', '--election-timeout', '500'] : [];
    return new EtcdProcess(url, directory, [...`${own} ${rest}`.split(' '), ...timing, ...flags]);
  });
  await Promise.all(members.map((member) => member.start()));
  return members;
}

/** A cluster of one. */
export async function startEtcd(flags?: readonly string[], scheme?: string): Promise<EtcdProcess> {
  const [member] = await startCluster(1, flags, scheme);
  return member as EtcdProcess;
}
