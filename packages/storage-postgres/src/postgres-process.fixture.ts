import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import {
  DatabaseProcess,
  dataDirectory,
  freePort,
} from '../../storage/src/suites/database-process.fixture.ts';

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

/** A server of PostgreSQL. */
export type PostgresProcess = DatabaseProcess;

/** Starts a new, empty database server. */
export async function startPostgres(flags: readonly string[] = []): Promise<PostgresProcess> {
  const directory = dataDirectory('postgres');
  const user = owner();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(directory, user.uid, user.gid);
  const initial = ['-D', directory, '-U', 'ashlar', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'];
  execFileSync(join(programs as string, 'initdb'), initial, { stdio: 'ignore', ...user });
  const port = await freePort();
  const url = `postgres://ashlar@127.0.0.1:${port}/postgres`;
  const settings = ['-D', directory, '-p', String(port), '-k', directory, '-h', '127.0.0.1', '-N', '400'];
  const server = new DatabaseProcess(url, {
    program: join(programs as string, 'postgres'),
    arguments: [...settings, ...flags],
    directory,
    showsLog: process.env.POSTGRES_LOG !== undefined,
    user,
    killSignal: 'SIGQUIT',
    isReady: () => answers(url),
  });
  await server.start();
  return server;
}
