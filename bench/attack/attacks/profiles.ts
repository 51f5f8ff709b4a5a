import type { Attack, Scenario, SizedAttack, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { type Deed, faultsBeside, pause } from '../beside.ts';
import { exchange, openSocket, requestBytes } from '../raw-request.ts';

const CONNECTIONS = 20;
const MILLISECONDS = 4_000;
const GROWN_MEGABYTES = 192;

const request = (target: Target, profile: string): Buffer =>
  requestBytes({ path: `/debug/pprof/${profile}`, headers: [target.credentials('operator')] });

/** Asks for a profile over and over, on many connections. @returns faults of the statuses */
async function ask(target: Target, profile: string, statuses: readonly number[]): Promise<readonly string[]> {
  const seen = new Set<number>();
  const end = awakeNow() + MILLISECONDS;
  const member = async (): Promise<void> => {
    const socket = await openSocket(target.port);
    while (awakeNow() < end && !socket.destroyed)
      seen.add((await exchange(socket, request(target, profile), 10_000)).status);
    socket.destroy();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, member));
  return [...seen].every((status) => statuses.includes(status)) ? [] : [`answered ${[...seen].join(', ')}`];
}

/** Begins recordings of a day, and leaves. */
async function leaveRecordings(target: Target): Promise<readonly string[]> {
  for (const profile of ['profile?seconds=86400', 'trace?seconds=86400', 'heap?seconds=86400']) {
    const socket = await openSocket(target.port);
    socket.write(request(target, profile));
    await pause(300);
    socket.destroy();
  }
  await pause(1_000);
  const after = await Promise.all(
    ['profile?seconds=1', 'trace?seconds=1'].map(async (profile) => {
      const socket = await openSocket(target.port);
      const { status } = await exchange(socket, request(target, profile), 10_000);
      socket.destroy();
      return status;
    }),
  );
  return after.every((status) => status === 200) ? [] : [`the next ones were answered ${after.join(', ')}`];
}

/** What runs for the first time takes long, in the inspector too. */
async function warmUp(target: Target, profiles: readonly string[]): Promise<void> {
  const socket = await openSocket(target.port);
  for (const profile of profiles)
    for (let i = 0; i < 3; i++) await exchange(socket, request(target, profile), 10_000);
  socket.destroy();
}

/** @param profiles those that are recorded */
function profiled(
  name: string,
  sends: string,
  profiles: readonly string[],
  run: (target: Target) => Deed['run'],
): Scenario {
  return {
    ...{ name, sends },
    async run(target) {
      await warmUp(target, profiles);
      return faultsBeside(target, [{ name: 'profiles', grownMegabytes: GROWN_MEGABYTES, run: run(target) }]);
    },
  };
}

const asked = (name: string, sends: string, profile: string, statuses: readonly number[] = [200]): Scenario =>
  profiled(name, sends, [profile], (target) => () => ask(target, profile, statuses));

const parameter = (name: string, path: (n: number) => string): SizedAttack => ({
  ...{ name, sends: 'a profile with a parameter of many digits', caller: 'operator', n: 50_000 },
  request: (n) => ({ path: `/debug/pprof/${path(n)}` }),
});

/** Profiles, for those who may read them. Only one recording of each kind runs at once. */
export const attacks: readonly Attack[] = [
  asked('time', 'recordings of the time, on twenty connections', 'profile?seconds=1', [200, 500]),
  asked('traces', 'traces, on twenty connections', 'trace?seconds=1', [200, 500]),
  asked('memory', 'recordings of memory, on twenty connections', 'heap?seconds=1', [200, 500]),
  asked(
    'released memory',
    'recordings of released memory, on twenty connections',
    'allocs?seconds=1',
    [200, 500],
  ),
  asked('memory as it is', 'what is in memory, on twenty connections', 'heap?debug=1'),
  asked('activities', 'what keeps the process alive, on twenty connections', 'goroutine?debug=2'),
  profiled(
    'left recordings',
    'recordings of a day, by clients that leave',
    ['profile?seconds=1', 'trace?seconds=1', 'heap?seconds=1'],
    (target) => () => leaveRecordings(target),
  ),
  parameter('digits of seconds', (n) => `heap?seconds=${'9'.repeat(n)}x`),
  parameter('digits of a trace', (n) => `symbol?seconds=${'9'.repeat(n)}.5x`),
  parameter('a long name', (n) => 'a'.repeat(n)),
];
