// Several clients write the same objects at once, on one server or several over one store, and what they were answered is compared with
// what watches sent: no version twice, each change sent once and in order, no update lost.
//   npx tsx --conditions=@ashlar/source conformance/concurrent-writers.ts --server URL,CA,TOKEN [--server …]
//     [--clients 8] [--objects 3] [--seconds 10]
// Without --server it takes SERVER, CA and TOKEN from the environment, as conformance/with-server.sh sets them. Fails where something is wrong.
import { parseArgs } from 'node:util';
import { Caller } from './backup/caller.ts';
import { historyFaults, type SeenChange } from './concurrency/write-history.ts';
import { ownKey, parsed, Writer, type Written } from './concurrency/writer.ts';

const { SERVER = '', CA = '', TOKEN = '' } = process.env;
const { values } = parseArgs({
  options: {
    server: { type: 'string', multiple: true, default: [`${SERVER},${CA},${TOKEN}`] },
    clients: { type: 'string', default: '8' },
    objects: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
  },
});

const COLLECTION = '/api/v1/namespaces/default/configmaps';
const SHOWN = 20;
const servers = values.server.map((text) => {
  const [url = '', ca = '', token = ''] = text.split(',');
  return new Caller({ url, ca, token });
});
const [first] = servers as [Caller];
const run = Date.now().toString(36);
const names = Array.from({ length: Number(values.objects) }, (_, i) => `writers-${run}-${i}`);
const faults = await check();
for (const fault of faults.slice(0, SHOWN)) console.log(fault);
console.log(`${faults.length} faults`);
for (const server of servers) server[Symbol.dispose]();
process.exitCode = faults.length === 0 ? 0 : 1;

async function check(): Promise<readonly string[]> {
  let start = '';
  for (const name of names) {
    const labels = { run };
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data: { counter: '0' } };
    start = parsed(await first.ask(COLLECTION, { method: 'POST', body })).metadata.resourceVersion;
  }
  const seconds = Number(values.seconds);
  // watches that follow the writes, one on each server, and one of the past
  const following = servers.map((server) => changesOf(server, start, seconds + 3));
  const written = await writeAll(performance.now() + seconds * 1000);
  const watches = [...(await Promise.all(following)), await changesOf(first, start, 2)];
  const writes = written.flatMap((each) => each.writes);
  const conflicts = written.reduce((sum, each) => sum + each.conflicts, 0);
  console.log(`${writes.length} writes, ${conflicts} conflicts, ${watches.length} watches`);
  if (writes.length === 0) return ['nothing was written'];
  return [...watches.flatMap((events) => historyFaults(writes, events)), ...(await lostUpdates(written))];
}

function writeAll(until: number): Promise<readonly Written[]> {
  const clients = Array.from({ length: Number(values.clients) }, (_, client) => {
    const server = servers[client % servers.length] as Caller;
    return new Writer(server, COLLECTION, client).run(names, until);
  });
  return Promise.all(clients);
}

async function changesOf(server: Caller, since: string, seconds: number): Promise<readonly SeenChange[]> {
  const query = `watch=1&labelSelector=run%3D${run}&resourceVersion=${since}&timeoutSeconds=${seconds}`;
  const { body } = await server.ask(`${COLLECTION}?${query}`);
  return body
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const { type, object } = JSON.parse(line);
      return { type, ...object.metadata };
    });
}

/** Compares what is stored in the end with what the writers were told. */
async function lostUpdates(written: readonly Written[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const name of names) {
    const { data = {} } = parsed(await first.ask(`${COLLECTION}/${name}`));
    const increments = written.reduce((sum, each) => sum + (each.increments.get(name) ?? 0), 0);
    if (Number(data.counter) !== increments)
      faults.push(`the counter of ${name} is ${data.counter} after ${increments} increments`);
    written.forEach(({ own }, client) => {
      const key = ownKey(client);
      if (data[key] !== own.get(name)) faults.push(`${key} of ${name} is ${data[key]}, not ${own.get(name)}`);
    });
  }
  return faults;
}
