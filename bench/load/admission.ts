// What policies and webhooks cost writes, of several servers from outside, alternating, so that disturbances affect all:
//   npx tsx bench/load/admission.ts --target ours=https://127.0.0.1:7443,ca.crt,TOKEN,PID --target peer=https://127.0.0.1:6443,ca.crt,TOKEN,PID+PID
//     [--certificate FILE --key FILE --authority FILE] [--seconds 1] [--rounds 3] [--warm-up 10] [--only REGEX] [--write]
// Creations of configmaps: without rules, under 50 policies of 3 expressions each, through one webhook that allows everything, and
// beside requests that a webhook holds up that never answers (failurePolicy Ignore, timeout 1 s). Webhooks are served by this process,
// whose processor time does not count. Rounds last --seconds of processor time, after
// --warm-up of it that do not count; prints the best one's creations per
// CPU-second of each server, and the first one's ratio to the others. `--write` writes the ratios to the second target into docs/benchmarks.md.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { writeSection } from '../benchmarks-page.ts';
import { cpuSeconds } from '../server-process.ts';
import { type Call, configMap } from '../workloads.ts';
import { sendCall, type Target, targetOf } from './target.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    certificate: { type: 'string', default: 'server.crt' },
    key: { type: 'string', default: 'server.key' },
    authority: { type: 'string', default: 'ca.crt' },
    seconds: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '10' },
    only: { type: 'string', default: '.' },
    write: { type: 'boolean', default: false },
  },
});
const POLICIES = 50;
const PARALLEL = 16;
const EXPRESSIONS = [
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
  "object.data.all(k, size(object.data[k]) < 10000 && k.matches('^[a-z]+$'))",
  '!has(object.immutable) || object.immutable == false || request.operation == "CREATE"',
];
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const namespace = `admission-${Date.now().toString(36)}`;
const maps = `/api/v1/namespaces/${namespace}/configmaps`;

/** A server of webhooks: `/allow` allows everything, `/silent` never answers. */
async function startWebhooks(): Promise<Server> {
  const tls = { cert: readFileSync(values.certificate), key: readFileSync(values.key) };
  const server = createServer(tls, (request, response) => {
    if (request.url?.startsWith('/silent')) return;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { apiVersion, kind, request: reviewed } = JSON.parse(Buffer.concat(chunks).toString());
      const review = JSON.stringify({ apiVersion, kind, response: { uid: reviewed.uid, allowed: true } });
      const length = Buffer.byteLength(review);
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': length }).end(review);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

const post = (target: Target, path: string, body: object): Promise<void> =>
  sendCall(target, { method: 'POST', path, body: JSON.stringify(body) });

const remove = (target: Target, path: string): Promise<void> => sendCall(target, { method: 'DELETE', path });

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] };

async function addPolicies(target: Target): Promise<void> {
  for (let i = 0; i < POLICIES; i++) {
    const validations = EXPRESSIONS.map((expression) => ({ expression, message: 'no' }));
    await post(target, `${REGISTRATION}/validatingadmissionpolicies`, {
      metadata: { name: `bench-${i}` },
      spec: { matchConstraints: { resourceRules: [rule] }, validations },
    });
    await post(target, `${REGISTRATION}/validatingadmissionpolicybindings`, {
      metadata: { name: `bench-${i}` },
      spec: { policyName: `bench-${i}`, validationActions: ['Deny'] },
    });
  }
}

async function removePolicies(target: Target): Promise<void> {
  for (let i = 0; i < POLICIES; i++) {
    await remove(target, `${REGISTRATION}/validatingadmissionpolicybindings/bench-${i}`);
    await remove(target, `${REGISTRATION}/validatingadmissionpolicies/bench-${i}`);
  }
}

function addWebhook(target: Target, url: string, more: object): Promise<void> {
  const caBundle = readFileSync(values.authority).toString('base64');
  const webhook = {
    ...{ name: 'bench.example.com', rules: [rule], sideEffects: 'None', admissionReviewVersions: ['v1'] },
    clientConfig: { url, caBundle },
    ...more,
  };
  return post(target, `${REGISTRATION}/validatingwebhookconfigurations`, {
    metadata: { name: 'bench' },
    webhooks: [webhook],
  });
}

const removeWebhook = (target: Target): Promise<void> =>
  remove(target, `${REGISTRATION}/validatingwebhookconfigurations/bench`);

let created = 0;

/** The next creation. */
function creation(): Call {
  const name = `c${created++}`;
  return { method: 'POST', path: maps, body: configMap(namespace, name, name) };
}

/** Rules are in force a moment after they are stored. */
const inForce = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1500));

/** Creates until a server has used some processor time; resolves to the creations per second of it. */
async function measure(target: Target, cpu: number): Promise<number> {
  const before = cpuSeconds(target.pids);
  let done = 0;
  let used = 0;
  const work = async (): Promise<void> => {
    while (used < cpu) {
      await sendCall(target, creation());
      if (++done % 16 === 0) used = cpuSeconds(target.pids) - before;
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return done / (cpuSeconds(target.pids) - before);
}

/** The best of some rounds, after a warm-up: compiled code is measured. */
async function best(target: Target): Promise<number> {
  const cpu = Number(values.seconds);
  await measure(target, Number(values['warm-up']));
  const figures: number[] = [];
  for (let round = 0; round < Number(values.rounds); round++) figures.push(await measure(target, cpu));
  return Math.max(...figures);
}

/** Measures creations while others wait for a webhook that never answers; prints how long those took. */
async function besideSilence(target: Target): Promise<number> {
  const waits: number[] = [];
  let isOver = false;
  const held = async (): Promise<void> => {
    while (!isOver) {
      const metadata = { name: `held-${created++}`, labels: { held: 'yes' } };
      const start = performance.now();
      await post(target, maps, { metadata });
      waits.push(performance.now() - start);
    }
  };
  const holding = Promise.all(Array.from({ length: 8 }, held));
  const figure = await best(target);
  isOver = true;
  await holding;
  waits.sort((a, b) => a - b);
  const [least, most] = [waits[0] ?? 0, waits.at(-1) ?? 0].map(Math.round);
  console.log(
    `${target.name}: ${waits.length} requests waited for the silent webhook, ${least} to ${most} ms`,
  );
  return figure;
}

const rows: string[] = [];

function print(name: string, figures: readonly number[]): void {
  const [ours = 0, ...peers] = figures;
  const parts = figures.map((each, i) => `${targets[i]?.name} ${each.toFixed(0)}/cpu-s`);
  const ratios = peers.map((peer) => `×${(ours / peer).toFixed(1)}`);
  rows.push(`| ${name} | ${(ours / (peers[0] ?? Number.NaN) || 0).toFixed(1)} × |`);
  console.log(`${name.padEnd(24)} ${parts.join('   ')}   ${ratios.join('  ')}`);
}

/** Measures all targets under the same rules, one after another. */
async function compare(
  name: string,
  add: (target: Target) => Promise<void>,
  take: (target: Target) => Promise<void>,
  work: (target: Target) => Promise<number> = best,
): Promise<void> {
  if (!new RegExp(values.only).test(name)) return;
  const figures: number[] = [];
  for (const target of targets) {
    await add(target);
    try {
      await inForce();
      figures.push(await work(target));
    } finally {
      await take(target);
    }
  }
  print(name, figures);
}

const targets = values.target.map(targetOf);
if (targets.length === 0) throw new Error('no --target');
const webhooks = await startWebhooks();
const origin = `https://127.0.0.1:${(webhooks.address() as AddressInfo).port}`;
const nothing = async (): Promise<void> => {};
for (const target of targets) await post(target, '/api/v1/namespaces', { metadata: { name: namespace } });
await compare('no rules', nothing, nothing);
await compare('50 policies', addPolicies, removePolicies);
await compare('a webhook', (target) => addWebhook(target, `${origin}/allow`, {}), removeWebhook);
const silent = {
  ...{ failurePolicy: 'Ignore', timeoutSeconds: 1 },
  objectSelector: { matchLabels: { held: 'yes' } },
};
await compare(
  'beside a silent webhook',
  (target) => addWebhook(target, `${origin}/silent`, silent),
  removeWebhook,
  besideSilence,
);
if (values.write) writeSection('admission', ['| creations | ratio |', '| --- | --- |', ...rows].join('\n'));
for (const target of targets) target.agent.destroy();
webhooks.closeAllConnections();
webhooks.close();
