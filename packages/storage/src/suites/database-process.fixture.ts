import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOG_CHARACTERS = 4000;
const START_MILLISECONDS = 60_000;
const RESTART_MILLISECONDS = 200;
/** What the tests' databases take at most, together. */
const MEMORY_BYTES = 2 ** 31;

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
  /** The end of its log. */
  #log = '';

  constructor(url: string, command: DatabaseCommand) {
    this.url = url;
    this.directory = command.directory;
    this.#command = command;
  }

  /**
   * Starts it, and again whenever it ends by itself, as the service manager of a machine does.
   * @throws Error with the end of its log if it does not answer within a minute
   */
  async start(): Promise<void> {
    this.#spawn();
    for (const end = Date.now() + START_MILLISECONDS; Date.now() < end; await pause(25)) {
      if (isRunning(this.#child) && (await this.#command.isReady())) return;
    }
    await this.stop();
    throw new Error(`${this.#command.program} does not answer at ${this.url}: ${this.#log}`);
  }

  #spawn(): void {
    const { program, arguments: words, showsLog, user } = this.#command;
    const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'pipe'], ...user });
    this.#child = child;
    this.#log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#log = (this.#log + text).slice(-LOG_CHARACTERS);
      if (showsLog) process.stderr.write(text);
    });
    child.once('close', (code, signal) => void this.#restart(child, signal ?? code));
  }

  async #restart(ended: ChildProcess, reason: string | number | null): Promise<void> {
    if (this.#child !== ended) return;
    process.stderr.write(`${this.#command.program} at ${this.url} ended with ${reason}: ${this.#log}\n`);
    await pause(RESTART_MILLISECONDS);
    if (this.#child === ended) this.#spawn();
  }

  /** Ends the process; by default at once, as a crash does. */
  async stop(signal: NodeJS.Signals = this.#command.killSignal): Promise<void> {
    const child = this.#child;
    if (!child) return;
    this.#child = undefined;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    if (isRunning(child)) await ended;
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
    killIfRunning(pid, signal);
    const { stdout } = spawnSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' });
    for (const served of stdout.split('\n')) {
      if (served !== '') killIfRunning(Number(served), signal);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#command.directory, { recursive: true, force: true });
  }
}

/** A new folder for data, in memory if there is room: the tests are not about disks. */
export function dataDirectory(name: string): string {
  return mkdtempSync(join(hasRoom('/dev/shm') ? '/dev/shm' : tmpdir(), `ashlar-${name}-`));
}

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MEMORY_BYTES;
}

/**
 * A port that is free, and that systems give to nobody who does not name it: a database that is stopped
 * finds its port free when it is started again, whatever connections were made meanwhile.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

const isRunning = (child: ChildProcess | undefined): boolean =>
  child !== undefined && child.exitCode === null && child.signalCode === null;

/** One that has just ended needs no signal. */
function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
