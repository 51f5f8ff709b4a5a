import type { Usage } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { slownessNow } from '../calibration.ts';
import type { HostileRequest } from '../raw-request.ts';
import { asOperator } from './seeds.ts';

const BYTES = 2_900_000;
const LONGEST_TURN = 40;
const MOST_MILLISECONDS = 400;
const MOST_MEGABYTES = (3 * BYTES) / 2 ** 20 + 64;
/** How often an excess is measured again: the machine may have been busy. */
const REPEATS = 2;
/** Growth of the time per doubling that shows that it is not linear. */
const MOST_GROWTH = 2.5;
const PATIENCE = 15_000;

/** A body, in any size. */
export interface Body {
  readonly name: string;
  request(bytes: number): HostileRequest;
}

interface Measured extends Usage {
  readonly status: number;
}

/** Sends a body as large as it is accepted; returns what exceeds the limits each time, as a line. */
export async function excessOf(server: AttackedServer, body: Body): Promise<string | undefined> {
  const { bytes, found } = await largest(server, body);
  if (!isExcess(found, 1)) return undefined;
  let least = found;
  let slowness = 1;
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const again = await measured(server, body.request(bytes), true);
    slowness = slownessNow();
    if (!isExcess(again, slowness)) return undefined;
    if (again.longestTurn < least.longestTurn) least = again;
  }
  const half = await measured(server, body.request(bytes / 2), true);
  const line = lineOf(body.name, bytes, least, least.cpuMilliseconds / half.cpuMilliseconds);
  return `${line}, on a machine ${slowness.toFixed(1)} times slower`;
}

/** The largest size that is not refused for its size alone: such a refusal shows nothing. */
async function largest(
  server: AttackedServer,
  { request }: Body,
): Promise<{ readonly bytes: number; readonly found: Measured }> {
  for (let bytes = BYTES; ; bytes /= 2) {
    const found = await measured(server, request(bytes), false);
    if (found.status !== 413 || isExcess(found, 1) || bytes < 1000) return { bytes, found };
  }
}

/** @param calm whether what was left by the request before is collected first */
async function measured(server: AttackedServer, request: HostileRequest, calm: boolean): Promise<Measured> {
  await (calm ? server.measure.begin() : server.measure.restart());
  const { status } = await server.send({ ...asOperator(server, request), patience: PATIENCE });
  return { ...(await server.measure.end()), status };
}

function isExcess(
  { longestTurn, cpuMilliseconds, grownMegabytes, status }: Measured,
  slowness: number,
): boolean {
  const isLong = longestTurn > LONGEST_TURN * slowness || cpuMilliseconds > MOST_MILLISECONDS * slowness;
  return isLong || grownMegabytes > MOST_MEGABYTES || status >= 500 || status === 0;
}

function lineOf(name: string, bytes: number, found: Measured, growth: number): string {
  const { status, cpuMilliseconds, longestTurn, grownMegabytes } = found;
  const figures = [
    `${(bytes / 1e6).toFixed(2)} MB`,
    `status ${status}`,
    `CPU ${cpuMilliseconds.toFixed(0)} ms`,
    `turn ${longestTurn.toFixed(0)} ms`,
    `grown ${grownMegabytes.toFixed(0)} MB`,
    ...(growth > MOST_GROWTH ? [`grows ${growth.toFixed(1)} times per doubling`] : []),
  ];
  return `${name}: ${figures.join(', ')}`;
}
