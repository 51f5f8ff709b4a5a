import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { message } from '../caller.ts';
import type { Target, Usage } from './attack.ts';

const PER_SECOND = 200;

/** Measurements of the well-behaved client. */
export interface Sight {
  readonly due: number;
  readonly answered: number;
  readonly refused: number;
  /** The 99th percentile of its response times, in milliseconds, without the time in which processes waited for a processor. */
  readonly slowest: number;
}

/** The well-behaved client during an attack. */
export class Bystander implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(target: Target): Promise<Bystander> {
    const numbers = [target.port, target.kind === 'guarded' ? 1 : 0, PER_SECOND, target.pid].map(String);
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

/** The share of its requests that a well-behaved client keeps at least. */
const KEPT_SHARE = 0.9;
/** Maximum wait, on the machine on which the bounds were set. */
const LONGEST_WAIT = 50;
/** Maximum usual wait that is allowed in addition: a server that others have to wait for without any attack is excused by nothing. */
const LONGEST_USUAL_WAIT = 25;
const LONGEST_TURN = 50;
/** A server that waits for a processor for more of its time says nothing about its callers, nor do the threads that help it. */
const BUSY_SHARE = 0.3;

/** Limits beside a crowd: how much slower this machine is, the usual wait, and the memory. */
interface CrowdBounds {
  readonly slowness: number;
  readonly usualWait: number;
  readonly grownMegabytes: number;
  /** Maximum turn, on the machine on which the bounds were set. Default 50 milliseconds. */
  readonly longestTurn?: number | undefined;
}

/** Faults of a server in a crowd, and of what the well-behaved client saw beside it. */
export function faultsOfCrowd(
  { due, answered, slowest }: Sight,
  { longestTurn, grownMegabytes, queuedShare }: Usage,
  bounds: CrowdBounds,
): readonly string[] {
  const kept = answered / Math.max(1, due);
  const faults: string[] = [];
  const check = (what: string, value: number, bound: number): void => {
    if (value > bound) faults.push(`${what} ${value.toFixed(0)}, at most ${bound.toFixed(0)}`);
  };
  check('longest turn ms', longestTurn, (bounds.longestTurn ?? LONGEST_TURN) * bounds.slowness);
  check('grown MB', grownMegabytes, bounds.grownMegabytes);
  if (kept < KEPT_SHARE) faults.push(`the well-behaved client kept ${(100 * kept).toFixed(0)} %`);
  if (queuedShare <= BUSY_SHARE)
    check(
      'it waited ms',
      slowest,
      LONGEST_WAIT * bounds.slowness + Math.min(bounds.usualWait, LONGEST_USUAL_WAIT * bounds.slowness),
    );
  return faults;
}
