import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { message } from '../caller.ts';
import type { Target } from './attack.ts';

const PER_SECOND = 200;

/** Measurements of the well-behaved client. */
export interface Sight {
  readonly due: number;
  readonly answered: number;
  readonly refused: number;
  /** The 99th percentile of its response times, in milliseconds. */
  readonly slowest: number;
}

/** The well-behaved client during an attack. */
export class Bystander implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(target: Target): Promise<Bystander> {
    const numbers = [target.port, target.kind === 'guarded' ? 1 : 0, PER_SECOND].map(String);
    const file = join(import.meta.dirname, 'well-behaved.ts');
    const child = fork(file, numbers, { execArgv: process.execArgv });
    child.send({ command: 'open', credentials: target.credentials('operator') });
    await message(child);
    return new Bystander(child);
  }

  begin(): void {
    this.#child.send({ command: 'begin' });
  }

  end(): Promise<Sight> {
    this.#child.send({ command: 'end' });
    return message<Sight>(this.#child);
  }

  [Symbol.dispose](): void {
    this.#child.kill();
  }
}
