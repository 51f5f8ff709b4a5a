import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** Folder of the programs of PostgreSQL: `POSTGRES_BIN`, one in the PATH, or where Debian puts them. */
const programs: string | undefined = [
  ...(process.env.POSTGRES_BIN ? [process.env.POSTGRES_BIN] : []),
  ...(process.env.PATH ?? '').split(delimiter),
  ...debianFolders(),
].find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));

/** Why tests are skipped without PostgreSQL. */
export const NO_POSTGRES: string | undefined = programs
  ? undefined
  : 'there is no PostgreSQL: neither POSTGRES_BIN nor the PATH names a folder with initdb and postgres';

function debianFolders(): readonly string[] {
  const root = '/usr/lib/postgresql';
  return existsSync(root) ? readdirSync(root).map((version) => join(root, version, 'bin')) : [];
}

/** PostgreSQL does not run as root: then it is run as the user that its package makes. */
function owner(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

/** In memory if possible: the tests are not about disks. */
const ROOM = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A server of PostgreSQL that can be killed, and started again on the same data. */
export class PostgresProcess implements AsyncDisposable {
  readonly url: string;
  readonly #directory: string;
  readonly #port: number;
  readonly #flags: readonly string[];
  #child: ChildProcess | undefined;

  constructor(directory: string, port: number, flags: readonly string[]) {
    this.url = `postgres://ashlar@127.0.0.1:${port}/postgres`;
    this.#directory = directory;
    this.#port = port;
    this.#flags = flags;
  }

  async start(): Promise<void> {
    const settings = [
      '-D',
      this.#directory,
      '-p',
      String(this.#port),
      '-k',
      this.#directory,
      '-h',
      '127.0.0.1',
    ];
    this.#child = spawn(join(programs as string, 'postgres'), [...settings, ...this.#flags], {
      stdio: ['ignore', 'ignore', process.env.POSTGRES_LOG ? 'inherit' : 'ignore'],
      ...owner(),
    });
    for (let attempt = 0; attempt < 400; attempt++) {
      if (await answers(this.url)) return;
      await pause(25);
    }
    throw new Error(`PostgreSQL does not answer at ${this.url}`);
  }

  /** Ends the process; by default at once, as a crash does. */
  async stop(signal: NodeJS.Signals = 'SIGQUIT'): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
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

/** Starts a new, empty database server. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresProcess> {
  const directory = mkdtempSync(join(ROOM, 'ashlar-postgres-'));
  const user = owner();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const settings = ['-D', directory, '-U', 'ashlar', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs as string, 'initdb'), settings, { stdio: 'ignore', ...user });
  const server = new PostgresProcess(directory, await freePort(), flags);
  await server.start();
  return server;
}
