import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** How a database is started. */
export interface DatabaseCommand {
  readonly program: string;
  readonly arguments: readonly string[];
  /** Its data, removed when the process is disposed. */
  readonly directory: string;
  /** Whether it writes its log to that of the test. */
  readonly showsLog: boolean;
  readonly user?: { readonly uid?: number; readonly gid?: number };
  /** Ends a process as a crash does. */
  readonly killSignal: NodeJS.Signals;
  /** Whether the database answers. */
  isReady(): Promise<boolean>;
}

/** A database of a test: a process that can be stopped, restarted on the same data, and paused. */
export class DatabaseProcess implements AsyncDisposable {
  readonly url: string;
  /** Where its data are. */
  readonly directory: string;
  readonly #command: DatabaseCommand;
  #child: ChildProcess | undefined;

  constructor(url: string, command: DatabaseCommand) {
    this.url = url;
    this.directory = command.directory;
    this.#command = command;
  }

  async start(): Promise<void> {
    const { program, arguments: words, showsLog, user, isReady } = this.#command;
    this.#child = spawn(program, words, {
      stdio: ['ignore', 'ignore', showsLog ? 'inherit' : 'ignore'],
      ...user,
    });
    for (let attempt = 0; attempt < 400; attempt++) {
      if (await isReady()) return;
      await pause(25);
    }
    throw new Error(`${program} does not answer at ${this.url}`);
  }

  /** Ends the process; by default at once, as a crash does. */
  async stop(signal: NodeJS.Signals = this.#command.killSignal): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (child.exitCode === null && child.signalCode === null) await ended;
  }

  /** Stops all its processes, without ending them. */
  pause(): void {
    this.#signal('SIGSTOP');
  }

  resume(): void {
    this.#signal('SIGCONT');
  }

  /** Processes that serve connections may have groups of their own. */
  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    // first the one that starts others
    process.kill(pid, signal);
    const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    for (const child of stdout.split('\n')) {
      if (child !== '') killIfRunning(Number(child), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#command.directory, { recursive: true, force: true });
  }
}

/** A new folder for data, in memory if possible: the tests are not about disks. */
export function dataDirectory(name: string): string {
  return mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `ashlar-${name}-`));
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** One that has just ended needs no signal. */
function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
