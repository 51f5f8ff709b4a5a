import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../packages/storage/src/suites/database-process.fixture.ts';

const COMMAND = join(import.meta.dirname, '../packages/server/bin/ashlar.mjs');

/** `ashlar serve` as a process of its own. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Name of the file with the CA certificate, if it made its own. */
  readonly authorityFile: string;
  /** Token of the administrator, if it made its own. */
  readonly token: string;
  /** Sends a signal, and waits for its exit for ten seconds at most, as its disposal does. */
  stop(): Promise<void>;
}

/**
 * Starts one in vocabulary `kubernetes`; resolves with its URL.
 * @param folder its state folder
 */
export async function startOwnServer(folder: string, flags: readonly string[]): Promise<OwnServer> {
  const port = await freePort();
  const all = ['--vocabulary', 'kubernetes', '--secure-port', String(port), ...flags];
  const child = spawn(process.execPath, [COMMAND, 'serve', ...all], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`ashlar serve ended with ${code}`)));
    child.stdout.once('data', () => resolve());
  });
  const stateFile = (name: string): string => join(folder, '.ashlar', name);
  const stop = async (): Promise<void> => {
    const over = new Promise((resolve) => child.removeAllListeners('exit').once('exit', resolve));
    child.kill('SIGTERM');
    await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 10_000))]);
  };
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    pid: child.pid as number,
    authorityFile: stateFile('ca.crt'),
    get token() {
      return readFileSync(stateFile('admin.token'), 'utf8').trim();
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
