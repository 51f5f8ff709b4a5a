// Measures several servers from outside, alternating, so that disturbances affect all:
//   npx tsx bench/load.ts --target ours=https://127.0.0.1:7443,ca.crt,TOKEN,PID --target peer=https://127.0.0.1:6443,ca.crt,TOKEN,PID+PID
// Prints operations per CPU-second of the servers' processes, resident memory, and the first target's ratio
// to the others. `--write memory` and `--write sqlite` write the ratios to the second target into docs/benchmarks.md.
import { request } from 'node:https';
import { parseArgs } from 'node:util';
import { writeSection } from './benchmarks-page.ts';
import { type Figure, figure, measure, sendCall, type Target, targetOf } from './load/target.ts';
import { cpuSeconds } from './server-process.ts';
import { type Call, configMap, workloads } from './workloads.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    seconds: { type: 'string', default: '3' },
    objects: { type: 'string', default: '10000' },
    watchers: { type: 'string', default: '500' },
    only: { type: 'string', default: '.' },
    write: { type: 'string' },
  },
});
const rows: string[] = [];
const seconds = Number(values.seconds);
const objects = Number(values.objects);

/** Retries until it succeeds: a new definition is served a moment later. */
async function untilAnswered(target: Target, call: Call): Promise<void> {
  for (let left = 100; ; left--) {
    try {
      return await sendCall(target, call);
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function prepare(target: Target, full: string, fresh: string): Promise<void> {
  for (const name of [full, fresh]) {
    await sendCall(target, {
      method: 'POST',
      path: '/api/v1/namespaces',
      body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    });
  }
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < objects; i = next++) {
      const name = `b${String(i).padStart(5, '0')}`;
      await sendCall(target, {
        method: 'POST',
        path: `/api/v1/namespaces/${full}/configmaps`,
        body: configMap(full, name, String(i)),
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

/** Opens watchers, writes one object after the other and counts received events. */
async function fanOut(target: Target, namespace: string): Promise<Figure> {
  let arrived = 0;
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const open = Array.from({ length: Number(values.watchers) }, () => {
    return new Promise<{ destroy(): void }>((resolve, reject) => {
      const headers = { authorization: `Bearer ${target.token}` };
      const call = request(
        `${target.url}${path}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0`,
        { headers, agent: target.agent },
        (response) => {
          response.on('data', (chunk: Buffer) => {
            for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) arrived++;
          });
          response.on('error', () => {});
          resolve(call);
        },
      );
      call.on('error', reject).end();
    });
  });
  const watchers = await Promise.all(open);
  const before = cpuSeconds(target.pids);
  const start = performance.now();
  let writes = 0;
  while (performance.now() - start < seconds * 1000) {
    await sendCall(target, {
      method: 'PUT',
      path: `${path}/b00000`,
      body: configMap(namespace, 'b00000', `t${writes++}`),
    });
  }
  const expected = writes * watchers.length;
  for (let i = 0; arrived < expected && i < 500; i++) await new Promise((resolve) => setTimeout(resolve, 20));
  if (arrived < expected) throw new Error(`${target.name}: ${arrived} of ${expected} events arrived`);
  const result = figure(target, arrived, before, start);
  for (const watcher of watchers) watcher.destroy();
  return result;
}

function print(name: string, figures: readonly Figure[], targets: readonly Target[]): void {
  const [ours, ...peers] = figures as [Figure, ...Figure[]];
  const parts = figures.map(
    (f, i) => `${targets[i]?.name} ${f.perCpuSecond.toFixed(0)}/cpu-s ${f.megabytes.toFixed(0)} MB`,
  );
  const ratios = peers.map(
    (peer) =>
      `×${(ours.perCpuSecond / peer.perCpuSecond).toFixed(1)}, memory ×${(ours.megabytes / peer.megabytes).toFixed(2)}`,
  );
  rows.push(
    `| ${name} | ${peers.map((peer) => `${(ours.perCpuSecond / peer.perCpuSecond).toFixed(1)} ×`).join(' | ')} |`,
  );
  console.log(`${name.padEnd(16)} ${parts.join('   ')}   ${ratios.join('  ')}`);
}

const targets = values.target.map(targetOf);
if (targets.length === 0) throw new Error('no --target');
const id = Date.now().toString(36);
const [full, fresh] = [`bench-${id}`, `bench-new-${id}`];
for (const target of targets) await prepare(target, full, fresh);
const wanted = new RegExp(values.only);
for (const workload of workloads(full, fresh, objects)) {
  if (!wanted.test(workload.name)) continue;
  const figures: Figure[] = [];
  for (const target of targets) {
    for (const call of workload.before ?? []) await untilAnswered(target, call);
    figures.push(await measure(target, workload, seconds));
    for (const call of workload.after ?? []) await sendCall(target, call);
  }
  print(workload.name, figures, targets);
}
if (wanted.test('watch fan-out')) {
  const figures: Figure[] = [];
  for (const target of targets) figures.push(await fanOut(target, full));
  print('watch fan-out', figures, targets);
}
if (values.write !== undefined)
  writeSection(values.write, ['| workload | ratio |', '| --- | --- |', ...rows].join('\n'));
for (const target of targets) target.agent.destroy();
