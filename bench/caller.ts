import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A process that sends requests to a server. */
export interface Caller extends AsyncDisposable {
  /** Number of responses so far, with this status. */
  answered(status: string): Promise<number>;
  /** Pauses or resumes it. */
  rest(resting: boolean): void;
}

/** Starts one; resolves with its first response. @param perSecond 0 for as many as possible */
export async function callerOf(
  port: number,
  request: string,
  connections: number,
  perSecond = 0,
): Promise<Caller> {
  const numbers = [port, connections, perSecond].map(String);
  const child = fork(join(import.meta.dirname, 'tls-caller.ts'), numbers, { execArgv: process.execArgv });
  child.send({ request });
  await message(child);
  return {
    async answered(status) {
      child.send({});
      const seen = await message<{ answered: number; status: string }>(child);
      if (seen.status !== status) throw new Error(`answered with ${seen.status} instead of ${status}`);
      return seen.answered;
    },
    rest: (resting) => void child.send({ resting }),
    async [Symbol.asyncDispose]() {
      const over = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await over;
    },
  };
}

/** The next message of a child process. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (value) => resolve(value as T)));
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
