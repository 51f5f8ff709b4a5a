// What encryption at rest costs a request, in process: `npx tsx --conditions=@ashlar/source bench/encryption.ts`.
// Two servers, one with AES-GCM, take turns in short rounds; the figures are CPU time, and the median of the rounds' ratios.
import { encodeBase64, kubernetesVocabulary } from '@ashlar/core';
import { parseEncryptionConfiguration } from '@ashlar/encryption';
import { type ApiServer, createApiServer } from '@ashlar/server';

const SECRETS = '/api/v1/namespaces/default/secrets';
const ROUNDS = Number(process.env.ROUNDS ?? 30);
const COUNT = 100;
const REQUESTS = 2_000;

const configuration = parseEncryptionConfiguration(
  new TextEncoder().encode(
    JSON.stringify({
      ...{ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' },
      resources: [
        {
          resources: ['secrets'],
          providers: [{ aesgcm: { keys: [{ name: 'k', secret: encodeBase64(new Uint8Array(32)) }] } }],
        },
      ],
    }),
  ),
  { vocabulary: kubernetesVocabulary, file: 'keys.yaml' },
);

async function serverWith(isEncrypted: boolean): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary: kubernetesVocabulary,
    controllers: false,
    anonymousFrom: 'anywhere',
    limits: { readOnly: 0, mutating: 0 },
    ...(isEncrypted && { encryption: { configuration } }),
  });
  await server.ready;
  for (let i = 0; i < COUNT; i++) await put(server, i, 'first');
  return server;
}

const data = encodeBase64(new Uint8Array(700).fill(65));

async function put(server: ApiServer, i: number, label: string): Promise<void> {
  const metadata = { name: `s${i}`, labels: { label } };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata, data: { data } });
  const headers = { 'content-type': 'application/json' };
  const path = label === 'first' ? SECRETS : `${SECRETS}/s${i}`;
  const method = label === 'first' ? 'POST' : 'PUT';
  const response = await server.fetch(new Request(`http://server${path}`, { method, headers, body }));
  if (!response.ok) throw new Error(await response.text());
}

async function get(server: ApiServer, path: string): Promise<void> {
  const response = await server.fetch(new Request(`http://server${path}`));
  if (!response.ok) throw new Error(await response.text());
  await response.arrayBuffer();
}

const requests: Readonly<
  Record<string, readonly [number, (server: ApiServer, i: number, round: number) => Promise<void>]>
> = {
  get: [REQUESTS, (server, i) => get(server, `${SECRETS}/s${i % COUNT}`)],
  list: [REQUESTS / COUNT, (server) => get(server, SECRETS)],
  update: [REQUESTS / 10, (server, i, round) => put(server, i % COUNT, `r${round}-${i}`)],
};

async function timeOf(server: ApiServer, name: string, round: number): Promise<number> {
  const [times, request] = requests[name] as (typeof requests)[string];
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await request(server, i, round);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] as number;

const plain = await serverWith(false);
const encrypted = await serverWith(true);
for (const name of Object.keys(requests)) {
  const ratios: number[] = [];
  const times: [number, number][] = [];
  for (let round = -3; round < ROUNDS; round++) {
    const before = round % 2 === 0 ? await timeOf(plain, name, round) : undefined;
    const with_ = await timeOf(encrypted, name, round);
    const without = before ?? (await timeOf(plain, name, round));
    if (round < 0) continue;
    ratios.push(with_ / without);
    times.push([without, with_]);
  }
  const [without, with_] = [median(times.map(([a]) => a)), median(times.map(([, b]) => b))];
  console.log(
    `${name.padEnd(8)} plain ${without.toFixed(1)} µs, AES-GCM ${with_.toFixed(1)} µs, ratio ${median(ratios).toFixed(3)}`,
  );
}
await plain.close();
await encrypted.close();
