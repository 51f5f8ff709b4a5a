import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../../packages/storage/src/suites/database-process.fixture.ts';
import { Caller } from './caller.ts';

const COMMAND = join(import.meta.dirname, '../../packages/server/bin/ashlar.mjs');

/** A process that serves a snapshot. */
export interface ServedSnapshot extends AsyncDisposable {
  readonly caller: Caller;
  /** Seconds from its start until it was ready. */
  readonly seconds: number;
  /** Seconds of processor time until then; undefined where the system does not tell them. */
  readonly processorSeconds: number | undefined;
  /** What it said while it started. */
  readonly output: readonly string[];
}

/**
 * Serves a snapshot with the `ashlar` command.
 * @param folder for its credentials
 * @throws Error if it ends
 */
export async function serveSnapshot(file: string, folder: string): Promise<ServedSnapshot> {
  const port = await freePort();
  const start = performance.now();
  const flags = ['--vocabulary', 'kubernetes', '--snapshot', file, '--secure-port', String(port)];
  const child = spawn(process.execPath, [COMMAND, 'serve', ...flags], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = await linesUntilReady(child);
  const own = join(folder, '.ashlar');
  const caller = new Caller({
    url: `https://127.0.0.1:${port}`,
    token: readFileSync(join(own, 'admin.token'), 'utf8').trim(),
    ca: join(own, 'ca.crt'),
  });
  for (;;) if ((await caller.ask('/readyz')).status === 200) break;
  return {
    ...{ caller, output, seconds: (performance.now() - start) / 1000 },
    processorSeconds: processorSecondsOf(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      caller[Symbol.dispose]();
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function linesUntilReady({ stdout, stderr }: ChildProcess): Promise<string[]> {
  const lines: string[] = [];
  if (!stdout || !stderr) throw new TypeError('the process has no pipes');
  createInterface(stderr).on('line', (line) => lines.push(line));
  for await (const line of createInterface(stdout)) {
    lines.push(line);
    if (line.startsWith('stop')) return lines;
  }
  throw new Error(`ashlar serve ended:\n${lines.join('\n')}`);
}

/** Ticks of the clock by which Linux counts. */
const TICKS_PER_SECOND = 100;

function processorSecondsOf(pid: number): number | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  // the name of the program may have blanks
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
