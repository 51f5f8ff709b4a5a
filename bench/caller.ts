import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A process that calls a server. */
export interface Caller extends AsyncDisposable {
  /** How many requests were answered by now, with this status. */
  answered(status: string): Promise<number>;
  /** Makes it stop, or go on. */
  rest(resting: boolean): void;
}

/** Starts one; resolves with its first answer. @param perSecond 0 for as many as it can */
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

/** What a child process says next. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => child.once('message', (value) => resolve(value as T)));
}

export function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}
