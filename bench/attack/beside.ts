import type { Target } from './attack.ts';
import { whenAwakeFor } from './awake-time.ts';
import { Bystander, faultsOfCrowd } from './bystander.ts';
import { slownessNow } from './calibration.ts';

/** Resolves after a time in which this process runs. */
export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void whenAwakeFor(milliseconds, () => resolve()));

/** Something that happens to a server. */
export interface Deed {
  /** What is said before its faults. */
  readonly name: string;
  /** How much the server may grow meanwhile. */
  readonly grownMegabytes: number;
  /** Maximum turn in milliseconds, if it is another than of all. */
  readonly longestTurn?: number;
  /** @returns faults that it has found itself */
  run(): Promise<readonly string[]>;
}

/** Does one after the other, each while a well-behaved client goes on, and returns what the server and that client suffered. */
export async function faultsBeside(target: Target, deeds: readonly Deed[]): Promise<readonly string[]> {
  using bystander = await Bystander.start(target);
  bystander.begin();
  await pause(1_000);
  const { slowest: usualWait } = await bystander.end();
  const faults: string[] = [];
  for (const { name, grownMegabytes, longestTurn, run } of deeds) {
    await target.measure.begin();
    bystander.begin();
    const own = await run();
    const sight = await bystander.end();
    const usage = await target.measure.end();
    const bounds = { slowness: slownessNow(), usualWait, grownMegabytes, longestTurn };
    for (const fault of [...own, ...faultsOfCrowd(sight, usage, bounds)]) faults.push(`${name}: ${fault}`);
  }
  return faults;
}
