import type { Target } from '../attack.ts';
import type { AttackedServer } from '../attacked-server.ts';
import { bodyRequest } from '../bodies.ts';
import type { HostileRequest } from '../raw-request.ts';
import { asOperator, type Members } from './seeds.ts';
import type { ServedKind } from './served-kinds.ts';
import { type Body, excessOf } from './swept.ts';
import { requestsAfter } from './ways.ts';

const JSON_TYPE = 'application/json';
const MOST_BYTES = 1_450_000;
const LEAST_BYTES = 20_000;

/** The path of a small object. */
export const pathOf = ({ path }: ServedKind, seed: Members): string =>
  `${path}/${(seed.metadata as { name: string }).name}`;

/** Creates an object. @returns whether it is there */
export async function isStored(target: Target, kind: ServedKind, seed: Members): Promise<boolean> {
  await send(target, bodyRequest('POST', kind.path, JSON_TYPE, JSON.stringify(seed)));
  return (await send(target, { path: pathOf(kind, seed) })) === 200;
}

/** Deletes an object, whatever keeps it. */
export async function remove(target: Target, at: string): Promise<void> {
  await send(target, { method: 'DELETE', path: `${at}?gracePeriodSeconds=0` });
  const free = '{"metadata":{"finalizers":null}}';
  await send(target, bodyRequest('PATCH', at, 'application/merge-patch+json', free));
}

async function send(target: Target, request: HostileRequest): Promise<number> {
  return (await target.send(asOperator(target, request))).status;
}

/** Stores a body as large as it may be, and returns what of that which others ask of it then exceeds the limits. */
export async function excessesOfStored(
  server: AttackedServer,
  kind: ServedKind,
  kinds: readonly ServedKind[],
  seed: Members,
  body: Body,
): Promise<readonly string[]> {
  const at = pathOf(kind, seed);
  const large = await largestStored(server, body);
  if (large === undefined) return [];
  const excesses: string[] = [];
  for (const [name, request] of requestsAfter(kind, kinds, at, large)) {
    const excess = await excessOf(server, { name: `${body.name}, ${name}`, request: () => request });
    if (excess) excesses.push(excess);
  }
  await remove(server, at);
  return excesses;
}

/** @returns undefined if none is accepted */
async function largestStored(server: AttackedServer, body: Body): Promise<string | undefined> {
  for (let bytes = MOST_BYTES; bytes > LEAST_BYTES; bytes /= 2) {
    const request = body.request(bytes);
    const status = await send(server, request);
    if (status < 300) return String(request.body);
    if (status !== 413 && status !== 422) return undefined;
  }
  return undefined;
}
