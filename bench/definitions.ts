// What many definitions cost: npx tsup && npx tsx bench/definitions.ts [--count 500] [--target
// reference=https://HOST:PORT,ca.crt,TOKEN,PID+PID]
// Establishes definitions of 300 fields and 20 rules each in a server that it starts, over SQLite, and in
// the given targets: how long until all are served, what each costs resident, and how long the first
// OpenAPI v3 document of one group takes. Ours is then restarted over the same file. Definitions are
// removed from given targets afterwards.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { cpuSeconds, residentMegabytes } from './server-process.ts';
import { largeDefinition } from './workloads.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    target: { type: 'string', multiple: true, default: [] },
  },
});
const count = Number(values.count);
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const GROUPS = 50;

interface Target {
  readonly name: string;
  readonly url: string;
  readonly token: string;
  readonly pids: readonly number[];
  readonly agent: Agent;
}

function targetOf(name: string, url: string, ca: string, token: string, pids: readonly number[]): Target {
  return { name, url, token, pids, agent: new Agent({ keepAlive: true, ca: readFileSync(ca) }) };
}

function named(text: string): Target {
  const [, name, url, ca, token, pids] = /^([^=]+)=([^,]+),([^,]+),([^,]+),([\d+]+)$/.exec(text) ?? [];
  if (!name || !url || !ca || !token || !pids)
    throw new Error(`--target wants NAME=URL,CA_FILE,TOKEN,PID+PID`);
  return targetOf(name, url, ca, token, pids.split('+').map(Number));
}

interface Answer {
  readonly status: number;
  readonly bytes: number;
}

function sendRequest(
  { url, token, agent }: Target,
  method: string,
  path: string,
  body?: string,
): Promise<Answer> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { authorization: `Bearer ${token}`, ...type };
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method, headers, agent }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, bytes }));
    });
    call.on('error', reject).end(body);
  });
}

const groupOf = (index: number): string => `group${index % GROUPS}.bench.example.com`;
const pathOf = (index: number): string => `/apis/${groupOf(index)}/v1/kind${index}s`;

/** Processes all definitions, several at a time. */
async function forEach(work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) await work(index);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

async function untilServed(target: Target, path: string): Promise<void> {
  for (let i = 0; i < 6000; i++) {
    const status = await sendRequest(target, 'GET', path).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`${target.name} does not serve ${path}`);
}

async function establish(target: Target): Promise<void> {
  const [start, cpu] = [performance.now(), cpuSeconds(target.pids)];
  const before = residentMegabytes(target.pids);
  await forEach(async (index) => {
    const { status } = await sendRequest(
      target,
      'POST',
      DEFINITIONS,
      largeDefinition(`kind${index}s`, groupOf(index)),
    );
    if (status !== 201) throw new Error(`${target.name}: POST of a definition: ${status}`);
  });
  await forEach((index) => untilServed(target, pathOf(index)));
  const seconds = (performance.now() - start) / 1000;
  const used = cpuSeconds(target.pids) - cpu;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const each = ((residentMegabytes(target.pids) - before) * 1024) / count;
  console.log(
    `${target.name}: ${count} definitions served after ${seconds.toFixed(1)} s (${used.toFixed(1)} CPU-seconds), ${each.toFixed(0)} KB resident each`,
  );
}

async function firstDocument(target: Target): Promise<void> {
  const start = performance.now();
  const { status, bytes } = await sendRequest(target, 'GET', `/openapi/v3/apis/${groupOf(0)}/v1`);
  const took = performance.now() - start;
  console.log(
    `${target.name}: first OpenAPI v3 document of a group of ${Math.ceil(count / GROUPS)} kinds: ${status}, ${took.toFixed(0)} ms, ${Math.round(bytes / 1024)} KB`,
  );
}

/** A server over a file; resolves when it responds. */
async function startOurs(folder: string): Promise<{ target: Target; server: OwnServer }> {
  const start = performance.now();
  const server = await startOwnServer(folder, ['--storage', 'sqlite:state.db']);
  const target = targetOf('ours', server.url, server.authorityFile, server.token, [server.pid]);
  await untilServed(target, '/readyz');
  console.log(`ours: ready ${(performance.now() - start).toFixed(0)} ms after its start`);
  return { target, server };
}

const folder = mkdtempSync(join(tmpdir(), 'definitions-'));
try {
  const first = await startOurs(folder);
  await establish(first.target);
  await firstDocument(first.target);
  await first.server.stop();
  const start = performance.now();
  const second = await startOurs(folder);
  await forEach((index) => untilServed(second.target, pathOf(index)));
  console.log(`ours: all kinds served ${(performance.now() - start).toFixed(0)} ms after its second start`);
  console.log(`ours: ${residentMegabytes(second.target.pids).toFixed(0)} MB resident then`);
  await firstDocument(second.target);
  await second.server.stop();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const target of values.target.map(named)) {
  try {
    await establish(target);
    await firstDocument(target);
  } finally {
    await forEach(async (index) => {
      await sendRequest(target, 'DELETE', `${DEFINITIONS}/kind${index}s.${groupOf(index)}`);
    });
  }
}
process.exit();
