import type { Bounds, SizedAttack, Target, Usage } from './attack.ts';
import { awakeNow } from './awake-time.ts';
import { type Bystander, faultsOfCrowd, type Sight } from './bystander.ts';
import { slownessNow } from './calibration.ts';
import { exchange, type HostileRequest, openSocket, requestBytes } from './raw-request.ts';

/** How often all sizes are measured before a limit counts as exceeded. */
const REPEATS = 4;
/** The same for cheap ones, whose first runs cost several times as much: their code is compiled, or a collection falls into them. */
const REPEATS_OF_CHEAP = 12;
const REPEATS_OF_CROWD = 3;
const CROWD = 20;
const CROWD_MILLISECONDS = 300;
/** Above this cost, requests are sliced: the concurrent runs of a few suffice, and take seconds. */
const CROWDED_MILLISECONDS = 100;
/** Timeout of a response: the attack has won. */
const PATIENCE = 15_000;
/** Maximum cost at which larger sizes are tried. */
const HOPELESS_MILLISECONDS = 2_500;
/**
 * Costs below this vary by more than growth does: a collection or what the compiler does falls into them. No request is larger than the
 * one that is measured, so that what is cheap in it grows no further.
 */
const SMALLEST_GROWN_MILLISECONDS = 50;
/** Requests up to this size may cost no more than a small one. */
const SMALL_BYTES = 100_000;
/** Growth of a heap before it is collected, for any requests. */
const SLACK_MEGABYTES = 64;

/** Measurements of an attack. */
export interface Outcome {
  /** Processor time of the sizes n, 2n, 4n, in milliseconds. */
  readonly costs: readonly number[];
  readonly usage?: Usage;
  readonly sight?: Sight;
  readonly statuses: readonly number[];
  readonly faults: readonly string[];
}

interface Circumstances {
  /** Of this machine when it does nothing else. */
  readonly slowness: number;
  /** Response time of the well-behaved client without an attack, in milliseconds. */
  readonly usualWait: number;
  /** Whether to try twenty concurrent attacks at the end. */
  readonly crowd: boolean;
}

/** Sends an attack in three sizes, and then concurrently with a well-behaved client. */
export async function runSized(
  attack: SizedAttack,
  target: Target,
  bystander: Bystander,
  circumstances: Circumstances,
): Promise<Outcome> {
  const { slowness: slownessAlone, crowd: withCrowd } = circumstances;
  let slowness = slownessAlone;
  await attack.prepare?.(target);
  const requests = new Map<number, HostileRequest>();
  const requestOf = (n: number): HostileRequest => {
    const request = requests.get(n) ?? withCredentials(attack, attack.request(n, target), target);
    requests.set(n, request);
    return request;
  };
  await target.send(requestOf(attack.n));
  const { refused, largest, n } = await largestAccepted(attack, requestOf, target);
  let rounds = [largest];
  let faults: readonly string[] = [];
  const isCheap = largest.usage.cpuMilliseconds < 2 * CROWDED_MILLISECONDS * slowness;
  const repeats = isCheap ? REPEATS_OF_CHEAP : REPEATS;
  for (let repeat = 1; repeat <= repeats; repeat++) {
    if (!isHopeless(largest))
      rounds = await runRounds(n, requestOf, target, repeat === 1 ? [undefined, undefined, largest] : rounds);
    const last = rounds.at(-1) as Round;
    const bounds = boundsOf(attack, last.bytes, slowness);
    faults = [
      ...faultsOfStatus(
        attack,
        [...refused, ...rounds].map(({ status }) => status),
        last.late,
      ),
      ...faultsOfUsage(
        bounds,
        rounds.map(({ usage }) => usage.cpuMilliseconds),
        last.usage,
        slowness,
      ),
    ];
    if (faults.length === 0 || isHopeless(largest)) break;
    slowness = Math.max(slownessAlone, slownessNow());
  }
  const { usage } = rounds.at(-1) as Round;
  const outcome = {
    costs: rounds.map((round) => round.usage.cpuMilliseconds),
    usage,
    statuses: [...refused, ...rounds].map(({ status }) => status),
    faults: [...faultsOfRefusals(attack, refused, slownessAlone), ...faults],
  };
  const isCrowded = attack.crowd ?? usage.cpuMilliseconds < CROWDED_MILLISECONDS * slowness;
  // if one is sufficient, twenty are not needed
  if (!withCrowd || !isCrowded || outcome.faults.length > 0) return outcome;
  const crowd = await runCrowds(attack, requestOf(n), target, bystander, circumstances);
  return {
    ...outcome,
    sight: crowd.sight,
    statuses: [...outcome.statuses, ...crowd.statuses],
    faults: crowd.faults,
  };
}

/** Statuses of requests that are rejected for their size alone. */
const TOO_LARGE: ReadonlySet<number> = new Set([413, 431]);

/** Halves the largest size until it is not rejected for its size alone: larger ones show nothing. */
async function largestAccepted(
  attack: SizedAttack,
  requestOf: (n: number) => HostileRequest,
  target: Target,
): Promise<{ refused: readonly Round[]; largest: Round; n: number }> {
  const refused: Round[] = [];
  for (let n = 4 * attack.n; ; n = Math.floor(n / 2)) {
    const round = await runRound(requestOf(n), target);
    if (!TOO_LARGE.has(round.status) || n < 8 || attack.statuses?.includes(round.status))
      return { refused, largest: round, n };
    // the code that refuses has not run before
    let cheapest = round;
    for (let repeat = 1; repeat < REPEATS; repeat++)
      cheapest = cheaper(cheapest, await runRound(requestOf(n), target));
    refused.push(cheapest);
  }
}

/** Measures the sizes not measured yet, or all again, and keeps the cheapest of each. */
async function runRounds(
  n: number,
  requestOf: (n: number) => HostileRequest,
  target: Target,
  previousRounds: readonly (Round | undefined)[],
): Promise<Round[]> {
  const rounds: Round[] = [];
  const isFirst = previousRounds.includes(undefined);
  for (const [i, before] of previousRounds.entries()) {
    const size = Math.floor(n / 2 ** (previousRounds.length - 1 - i));
    rounds.push(before && isFirst ? before : cheaper(before, await runRound(requestOf(size), target)));
  }
  return rounds;
}

/** More expensive runs have other reasons, such as a collection. */
const cheaper = (a: Round | undefined, b: Round): Round =>
  a && (a.late || a.usage.cpuMilliseconds <= b.usage.cpuMilliseconds) ? a : b;

const isHopeless = ({ late, usage }: Round): boolean => late || usage.cpuMilliseconds > HOPELESS_MILLISECONDS;

interface Round {
  readonly bytes: number;
  readonly usage: Usage;
  readonly status: number;
  readonly late: boolean;
}

function withCredentials(attack: SizedAttack, request: HostileRequest, target: Target): HostileRequest {
  const patient = { ...request, patience: PATIENCE };
  if (attack.caller === undefined || attack.caller === 'stranger') return patient;
  return { ...patient, headers: [target.credentials(attack.caller), ...(request.headers ?? [])] };
}

async function runRound(request: HostileRequest, target: Target): Promise<Round> {
  await target.measure.begin();
  const begun = awakeNow();
  const { status } = await target.send(request);
  const late = awakeNow() - begun >= PATIENCE;
  return { bytes: bytesOf(request), usage: await target.measure.end(), status, late };
}

/** What the server reads because of a request. */
const bytesOf = (request: HostileRequest): number =>
  requestBytes(request).length + (request.readBesides ?? 0);

function boundsOf(attack: SizedAttack, bytes: number, slowness: number): Bounds {
  return {
    cpuMilliseconds: slowness * (attack.bounds?.cpuMilliseconds ?? (bytes <= SMALL_BYTES ? 50 : 500)),
    longestTurn: slowness * (attack.bounds?.longestTurn ?? 50),
    grownMegabytes: attack.bounds?.grownMegabytes ?? (3 * bytes) / 2 ** 20 + SLACK_MEGABYTES,
    growth: attack.bounds?.growth ?? 2.5,
  };
}

function faultsOfRefusals(
  attack: SizedAttack,
  refused: readonly Round[],
  slownessAlone: number,
): readonly string[] {
  const faultsAt = (slowness: number): readonly string[] =>
    refused.flatMap(({ bytes, usage }) =>
      faultsOfUsage(boundsOf(attack, bytes, slowness), [], usage, slowness),
    );
  const faults = faultsAt(slownessAlone);
  return faults.length === 0 ? faults : faultsAt(Math.max(slownessAlone, slownessNow()));
}

function faultsOfStatus(attack: SizedAttack, statuses: readonly number[], late: boolean): readonly string[] {
  if (late) return [`no response within ${PATIENCE / 1000} s`];
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

/**
 * The factor of the last doubling, or of both on average if that is larger; 0 if the cost is too small to
 * tell.
 */
export function growthOf(costs: readonly number[], slowness: number): number {
  const [first = 0, second = 0, third = 0] = costs;
  if (third < SMALLEST_GROWN_MILLISECONDS * slowness) return 0;
  return Math.max(third / second, Math.sqrt(third / first));
}

interface Crowd {
  readonly sight: Sight;
  readonly usage: Usage;
  readonly statuses: readonly number[];
}

/** Twenty connections that repeat the same, while the well-behaved client continues. */
async function runCrowd(request: HostileRequest, target: Target, bystander: Bystander): Promise<Crowd> {
  const bytes = requestBytes(request);
  const seen = new Set<number>();
  await target.measure.begin();
  bystander.begin();
  const end = awakeNow() + CROWD_MILLISECONDS;
  const member = async (): Promise<void> => {
    while (awakeNow() < end) {
      const socket = await openSocket(target.port, target.kind === 'guarded');
      while (awakeNow() < end && !socket.destroyed) {
        const { status } = await exchange(socket, bytes, PATIENCE, request.responses);
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

/** The crowd again while it has faults, as costs are measured again: a collection or another program may have fallen into it. */
async function runCrowds(
  attack: SizedAttack,
  request: HostileRequest,
  target: Target,
  bystander: Bystander,
  { slowness, usualWait }: Circumstances,
): Promise<Crowd & { readonly faults: readonly string[] }> {
  let first: Usage | undefined;
  for (let repeat = 1; ; repeat++) {
    const crowd = await runCrowd(request, target, bystander);
    first ??= crowd.usage;
    const { sight, statuses } = crowd;
    // a later one finds the memory of the first still in use
    const usage = { ...crowd.usage, grownMegabytes: first.grownMegabytes };
    const grownMegabytes = (3 * CROWD * bytesOf(request)) / 2 ** 20 + 2 * SLACK_MEGABYTES;
    const faultsAt = (now: number): readonly string[] => [
      ...faultsOfCrowd(sight, usage, { slowness: now, usualWait, grownMegabytes }),
      ...(statuses.some((status) => status >= 500 && !attack.statuses?.includes(status))
        ? [`were answered ${statuses.join(', ')}`]
        : []),
    ];
    const atFirst = faultsAt(slowness);
    const faults = atFirst.length === 0 ? atFirst : faultsAt(Math.max(slowness, slownessNow()));
    if (faults.length === 0 || repeat === REPEATS_OF_CROWD)
      return { ...crowd, usage, faults: faults.map((fault) => `beside twenty: ${fault}`) };
  }
}
