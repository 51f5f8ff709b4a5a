import { type ChildProcess, spawn } from 'node:child_process';
import type { PluginCall, PluginOutcome } from '@ashlar/client';
import type { Environment } from './environment.ts';
import { findCommand } from './find-command.ts';

/** More than any credentials take. */
const MAXIMUM_OUTPUT_BYTES = 1024 * 1024;

/**
 * Runs credential plugins as processes. They inherit the environment and the standard error.
 */
export class PluginRunner implements Disposable {
  readonly #environment: Environment;
  readonly #running = new Set<ChildProcess>();
  #ended = false;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  async run(call: PluginCall): Promise<PluginOutcome> {
    if (this.#ended) return { outcome: 'failed', reason: 'the connection that it was for has been closed' };
    const program = findCommand(call.command, call.origin, this.#environment);
    if (program === undefined) return { outcome: 'missing' };
    let child: ChildProcess;
    try {
      child = start(program, call, this.#environment);
    } catch (error) {
      return notStarted(error as NodeJS.ErrnoException);
    }
    this.#running.add(child);
    try {
      return await outcomeOf(child);
    } finally {
      this.#running.delete(child);
    }
  }

  /** Kills the running ones, and starts no others. */
  [Symbol.dispose](): void {
    this.#ended = true;
    for (const child of this.#running) child.kill();
  }
}

function start(
  program: string,
  { args, variables, interactive }: PluginCall,
  environment: Environment,
): ChildProcess {
  return spawn(program, args, {
    env: { ...environment, ...variables },
    stdio: [interactive ? 'inherit' : 'ignore', 'pipe', 'inherit'],
    windowsHide: true,
  });
}

/** Only the code: messages repeat arguments and variables. */
const notStarted = ({ code }: NodeJS.ErrnoException): PluginOutcome =>
  code === 'ENOENT'
    ? { outcome: 'missing' }
    : { outcome: 'failed', reason: `it cannot be started (${code})` };

function outcomeOf(child: ChildProcess): Promise<PluginOutcome> {
  return new Promise((resolve) => {
    const output: Uint8Array[] = [];
    let length = 0;
    child.stdout?.on('data', (chunk: Uint8Array) => {
      length += chunk.length;
      if (length <= MAXIMUM_OUTPUT_BYTES) {
        output.push(chunk);
        return;
      }
      // others may hold the pipe, and continue
      child.stdout?.destroy();
      child.kill('SIGKILL');
      resolve({ outcome: 'failed', reason: `it printed more than ${MAXIMUM_OUTPUT_BYTES} bytes` });
    });
    child.on('error', (error) => resolve(notStarted(error)));
    child.on('close', (code, signal) => {
      const ended = { outcome: 'ended', code: code ?? 0, output: Buffer.concat(output) } as const;
      resolve(signal === null ? ended : { outcome: 'killed', signal });
    });
  });
}
