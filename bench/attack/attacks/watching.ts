import type { Socket } from 'node:net';
import type { Attack, Scenario, Target } from '../attack.ts';
import { awakeNow } from '../awake-time.ts';
import { type Deed, faultsBeside, pause } from '../beside.ts';
import { bodyRequest, listed } from '../bodies.ts';
import { openWatches } from '../open-watches.ts';
import { exchange, openSocket, requestBytes } from '../raw-request.ts';

const MAPS = '/api/v1/namespaces/tenant/configmaps';
const WATCHES = 400;
const MILLISECONDS = 4_000;
const WRITE_MILLISECONDS = 100;
const GROWN_MEGABYTES = 256;

const watchPath = (query: string): string => `${MAPS}?watch=1&timeoutSeconds=60&${query}`;

const LABELS = 50;
const labels = Object.fromEntries(Array.from({ length: LABELS }, (_, i) => [`k${i}`, `v${i}`]));

/** Writes objects at a steady rate, for a while. */
async function writeRepeatedly(target: Target): Promise<readonly string[]> {
  const socket = await openSocket(target.port);
  const headers = [target.credentials('tenant'), 'Content-Type: application/json'];
  const statuses = new Set<number>();
  const end = awakeNow() + MILLISECONDS;
  for (let i = 0; awakeNow() < end; i++) {
    const body = JSON.stringify({ metadata: { generateName: 'written-', labels }, data: { a: String(i) } });
    const bytes = requestBytes({ ...bodyRequest('POST', MAPS, '', body), headers });
    statuses.add((await exchange(socket, bytes)).status);
    await pause(WRITE_MILLISECONDS);
  }
  socket.destroy();
  return [...statuses].every((status) => status === 201)
    ? []
    : [`writes were answered ${[...statuses].join(', ')}`];
}

/** The revision after which watches begin: they get no initial events. */
async function revisionOf(target: Target): Promise<string> {
  const { body } = await target.send({ path: `${MAPS}?limit=1`, headers: [target.credentials('tenant')] });
  return (JSON.parse(body) as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

/** Watches that are opened, and objects that are written while they are open. */
function watched(name: string, sends: string, query: (i: number) => string, isInitial = false): Scenario {
  return {
    ...{ name, sends },
    async run(target) {
      await writeRepeatedly(target);
      let sockets: readonly Socket[] = [];
      const deeds: readonly Deed[] = [
        {
          name: 'opening',
          grownMegabytes: GROWN_MEGABYTES,
          run: async () => {
            const since = isInitial ? '' : `&resourceVersion=${await revisionOf(target)}`;
            sockets = await openWatches(target, WATCHES, (i) => watchPath(query(i) + since));
            return [];
          },
        },
        { name: 'writes', grownMegabytes: GROWN_MEGABYTES, run: () => writeRepeatedly(target) },
      ];
      try {
        return await faultsBeside(target, deeds);
      } finally {
        for (const socket of sockets) socket.destroy();
      }
    },
  };
}

/** How long closed watches are followed. */
const CLOSING_MILLISECONDS = 1_000;

/** Watches that all end in one turn, of objects that are written before. */
const closed: Scenario = {
  name: 'closing at once',
  sends: `${WATCHES} watches whose connections close at once`,
  async run(target) {
    const since = await revisionOf(target);
    const faults: string[] = [];
    for (let round = 0; round < 3; round++) {
      const sockets = await openWatches(target, WATCHES, () => watchPath(`resourceVersion=${since}`));
      const run: Deed['run'] = async () => {
        for (const socket of sockets) socket.destroy();
        await pause(CLOSING_MILLISECONDS);
        return [];
      };
      faults.push(...(await faultsBeside(target, [{ name: 'closing', grownMegabytes: 64, run }])));
    }
    return faults;
  },
};

/** Selectors of up to about ten kilobytes each. */
export const attacks: readonly Attack[] = [
  watched(
    'unequal terms',
    'watches whose selectors have a thousand terms that hold',
    (i) => `labelSelector=${listed(1_000, (j) => `a${i}-${j}!=b`, '%2C')}`,
  ),
  watched(
    'many values',
    'watches whose selectors have a thousand values',
    (i) => `labelSelector=k1+in+(v1,${listed(1_000, (j) => `${i}-${j}`)})`,
  ),
  watched(
    'values that are excluded',
    'watches whose selectors exclude a thousand values',
    (i) => `labelSelector=k1+notin+(${listed(1_000, (j) => `${i}-${j}`)})`,
  ),
  watched(
    'existing labels',
    'watches whose selectors ask for labels that exist',
    () => `labelSelector=${listed(LABELS, (j) => `k${j}`, '%2C')}`,
  ),
  watched(
    'fields',
    'watches whose selectors exclude names by the thousand',
    (i) => `fieldSelector=${listed(500, (j) => `metadata.name!=n${i}-${j}`, '%2C')}`,
  ),
  watched(
    'initial events',
    'watches that ask for all objects first',
    (i) =>
      `sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=k1!=${i}`,
    true,
  ),
  closed,
];
