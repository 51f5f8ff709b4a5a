import type { Bounds, SizedAttack, Target, Usage } from './attack.ts';
import type { Bystander, Sight } from './bystander.ts';
import { exchange, type HostileRequest, openSocket, requestBytes } from './raw-request.ts';

const REPEATS = 3;
const CROWD = 20;
const CROWD_MILLISECONDS = 500;
/** What is not answered by then is given up, and the attack has won. */
const PATIENCE = 15_000;
/** A server that others keep from running says nothing about those who ask it: waits are not judged then. */
const BUSY_SHARE = 0.1;
/** Beyond this, larger sizes show nothing new. */
const HOPELESS_MILLISECONDS = 2_500;
/** Costs below this are mostly those of a connection, and say nothing about growth. */
const SMALLEST_GROWN_MILLISECONDS = 25;
/** Requests up to this size may cost no more than a small one. */
const SMALL_BYTES = 100_000;
/** What a heap grows by before it is collected, whoever asks for what. */
const SLACK_MEGABYTES = 64;

/** What was measured of an attack. */
export interface Outcome {
  /** Processor time of the sizes n, 2n, 4n, in milliseconds. */
  readonly costs: readonly number[];
  readonly usage?: Usage;
  readonly sight?: Sight;
  readonly statuses: readonly number[];
  readonly faults: readonly string[];
}

interface Circumstances {
  /** Of this machine. */
  readonly slowness: number;
  /** What the well-behaved client waits when nobody attacks, in milliseconds. */
  readonly usualWait: number;
  /** Whether twenty attack at once at last. */
  readonly crowd: boolean;
}

/** Sends an attack in three sizes, and then by a crowd beside a well-behaved client. */
export async function runSized(
  attack: SizedAttack,
  target: Target,
  bystander: Bystander,
  { slowness, usualWait, crowd: withCrowd }: Circumstances,
): Promise<Outcome> {
  await attack.prepare?.(target);
  const requestOf = (n: number): HostileRequest => withCredentials(attack, attack.request(n, target), target);
  await target.send({ ...requestOf(attack.n), patience: PATIENCE });
  const rounds: Round[] = [];
  for (const n of [attack.n, 2 * attack.n, 4 * attack.n]) {
    const round = await runRound(requestOf(n), target);
    rounds.push(round);
    if (round.late || round.usage.cpuMilliseconds > HOPELESS_MILLISECONDS) break;
  }
  const last = rounds.at(-1) as Round;
  const costs = rounds.map(({ usage }) => usage.cpuMilliseconds);
  const statuses = rounds.map(({ status }) => status);
  const faults = [
    ...faultsOfStatus(attack, statuses, last.late),
    ...faultsOfUsage(boundsOf(attack, last.bytes, slowness), costs, last.usage, slowness),
  ];
  // what one can do alone need not be shown by twenty
  if (!withCrowd || attack.crowd === false || faults.length > 0)
    return { costs, usage: last.usage, statuses, faults };
  const crowd = await runCrowd(requestOf(4 * attack.n), target, bystander);
  return {
    costs,
    usage: last.usage,
    sight: crowd.sight,
    statuses: [...statuses, ...crowd.statuses],
    faults: [...faults, ...faultsOfCrowd(crowd, last.bytes, usualWait, slowness)],
  };
}

interface Round {
  readonly bytes: number;
  readonly usage: Usage;
  readonly status: number;
  readonly late: boolean;
}

function withCredentials(attack: SizedAttack, request: HostileRequest, target: Target): HostileRequest {
  if (attack.caller === undefined || attack.caller === 'stranger') return request;
  return { ...request, headers: [target.credentials(attack.caller), ...(request.headers ?? [])] };
}

/** The cheapest of several: what is dearer was dearer for reasons of its own, such as a collection. */
async function runRound(request: HostileRequest, target: Target): Promise<Round> {
  let best: Round | undefined;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    await target.measure.begin();
    const begun = performance.now();
    const { status } = await target.send({ ...request, patience: PATIENCE });
    const late = performance.now() - begun >= PATIENCE;
    const usage = await target.measure.end();
    const round = { bytes: requestBytes(request).length, usage, status, late };
    if (late) return round;
    if (!best || usage.cpuMilliseconds < best.usage.cpuMilliseconds) best = round;
    if (usage.cpuMilliseconds > 1000) break;
  }
  return best as Round;
}

function boundsOf(attack: SizedAttack, bytes: number, slowness: number): Bounds {
  return {
    cpuMilliseconds: slowness * (attack.bounds?.cpuMilliseconds ?? (bytes <= SMALL_BYTES ? 50 : 500)),
    longestTurn: slowness * (attack.bounds?.longestTurn ?? 50),
    grownMegabytes: attack.bounds?.grownMegabytes ?? (3 * bytes) / 2 ** 20 + SLACK_MEGABYTES,
    growth: attack.bounds?.growth ?? 2.5,
  };
}

function faultsOfStatus(attack: SizedAttack, statuses: readonly number[], late: boolean): readonly string[] {
  if (late) return [`no answer within ${PATIENCE / 1000} s`];
  const wrong = statuses.filter((status) =>
    attack.statuses ? !attack.statuses.includes(status) : status >= 500 || status === 0,
  );
  return wrong.length > 0 ? [`answered ${wrong.join(', ')}`] : [];
}

function faultsOfUsage(
  bounds: Bounds,
  costs: readonly number[],
  usage: Usage,
  slowness: number,
): readonly string[] {
  const faults: string[] = [];
  const check = (what: string, value: number, bound: number): void => {
    if (value > bound) faults.push(`${what} ${value.toFixed(1)}, at most ${bound.toFixed(1)}`);
  };
  check('CPU ms', usage.cpuMilliseconds, bounds.cpuMilliseconds);
  check('longest turn ms', usage.longestTurn, bounds.longestTurn);
  check('grown MB', usage.grownMegabytes, bounds.grownMegabytes);
  check('growth per doubling', growthOf(costs, slowness), bounds.growth);
  return faults;
}

/** The largest factor between neighbours, of those that are dear enough to tell. */
export function growthOf(costs: readonly number[], slowness: number): number {
  const factors = costs
    .slice(1)
    .map((cost, i) => (cost < SMALLEST_GROWN_MILLISECONDS * slowness ? 0 : cost / (costs[i] ?? cost)));
  return Math.max(0, ...factors);
}

interface Crowd {
  readonly sight: Sight;
  readonly usage: Usage;
  readonly statuses: readonly number[];
}

/** Twenty connections that send the same again and again, while the well-behaved client goes on. */
async function runCrowd(request: HostileRequest, target: Target, bystander: Bystander): Promise<Crowd> {
  const bytes = requestBytes(request);
  const seen = new Set<number>();
  await target.measure.begin();
  bystander.begin();
  const end = performance.now() + CROWD_MILLISECONDS;
  const member = async (): Promise<void> => {
    while (performance.now() < end) {
      const socket = await openSocket(target.port, target.kind === 'guarded');
      while (performance.now() < end && !socket.destroyed) {
        const { status } = await exchange(socket, bytes, PATIENCE);
        seen.add(status);
        if (status === 0) break;
      }
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: CROWD }, member));
  const sight = await bystander.end();
  return { sight, usage: await target.measure.end(), statuses: [...seen] };
}

function faultsOfCrowd(
  { sight, usage, statuses }: Crowd,
  bytes: number,
  usualWait: number,
  slowness: number,
): readonly string[] {
  if (usage.queuedShare > BUSY_SHARE) return [];
  const kept = sight.answered / Math.max(1, sight.due);
  const longest = 50 * slowness + usualWait;
  const most = (3 * CROWD * bytes) / 2 ** 20 + 2 * SLACK_MEGABYTES;
  return [
    ...(kept < 0.9 ? [`the well-behaved client kept ${(100 * kept).toFixed(0)} % beside twenty`] : []),
    ...(sight.slowest > longest
      ? [`it waited ${sight.slowest.toFixed(0)} ms, at most ${longest.toFixed(0)}`]
      : []),
    ...(usage.grownMegabytes > most ? [`twenty grew it by ${usage.grownMegabytes.toFixed(0)} MB`] : []),
    ...(statuses.some((status) => status >= 500) ? [`twenty were answered ${statuses.join(', ')}`] : []),
  ];
}
