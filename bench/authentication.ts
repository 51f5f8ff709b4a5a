// What authentication and rejection cost: npx tsup && npx tsx bench/authentication.ts
// Authentication of a cached token and of a known certificate, per call; rejections over TLS compared with
// a bare server of the same bytes, per CPU-second of the serving process; and the throughput of others per
// CPU-second while 1,000 callers a second are rejected. Rounds alternate.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createBearerAuthenticator,
  createClientCertificateAuthenticator,
  withAuthenticatedGroup,
  withTokenCache,
} from '@ashlar/authn';
import { type Authenticator, type ServerRequest, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { createNodeTokenDigest } from '../packages/server/src/command/serve/node-token-digest.ts';
import { readyAnswerOf, startBareServer } from './bare-server.ts';
import { callerOf, pause } from './caller.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { perCpuSecond, summary } from './rounds.ts';

const CALLS = 20_000;
const ROUNDS = 75;
const CONNECTIONS = 16;
const REFUSALS = 1_000;

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'authentication-'));
  const flags = ['--storage', 'memory', '--anonymous-auth=false'];
  const server = await startOwnServer(folder, flags);
  try {
    await identities(readFileSync(server.authorityFile, 'utf8'));
    await refusals(folder, server);
    await gets(server);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
  process.exit();
}

const get = (token: string): string =>
  `GET /api/v1/namespaces/default HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`;

async function identities(certificate: string): Promise<void> {
  const ambient = nodeAmbient(vocabulary);
  const slow = {
    authenticateToken: async () => ({ outcome: 'authenticated', user: { name: 'al', groups: [] } }) as const,
  };
  const digest = createNodeTokenDigest(ambient.random);
  const cached = withTokenCache(slow, { ambient, digest, milliseconds: 3_600_000 });
  const bearer = createBearerAuthenticator(cached);
  const authority = new Uint8Array(new X509Certificate(certificate).raw);
  const certificates = createClientCertificateAuthenticator(ambient, { authorities: [authority] });
  for (const length of [100, 900]) {
    const request = requestWith(`Bearer ${'k'.repeat(length)}`, []);
    await identity(`a cached token of ${length} characters`, bearer, request);
  }
  await identity('a certificate seen before', certificates, requestWith(undefined, [authority]));
}

async function identity(what: string, inner: Authenticator, request: ServerRequest): Promise<void> {
  const authenticator = withAuthenticatedGroup(inner);
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10; round++) {
    const start = performance.now();
    for (let i = 0; i < CALLS; i++) {
      const { outcome } = await authenticator.authenticate(request);
      if (outcome !== 'authenticated') throw new Error(`${what}: ${outcome}`);
    }
    least = Math.min(least, (performance.now() - start) / CALLS);
  }
  console.log(`who ${what} belongs to: ${(least * 1000).toFixed(2)} µs`);
}

function requestWith(
  authorization: string | undefined,
  clientCertificates: readonly Uint8Array[],
): ServerRequest {
  return {
    method: 'GET',
    url: '/api',
    headers: {
      get: (name) => (name === 'authorization' ? authorization : undefined),
      all: (name) => (name === 'authorization' && authorization ? [authorization] : []),
      entries: () => [],
      someBegin: () => false,
    },
    connection: { encrypted: true, clientCertificates },
    signal: new AbortController().signal,
    body: async () => new Uint8Array(),
  };
}

interface Serving {
  readonly port: number;
  readonly pid: number;
}

async function refusals(folder: string, server: Serving): Promise<void> {
  const headers = { authorization: 'Bearer unknown', accept: 'application/json' };
  const answer = await readyAnswerOf(server.port, '/api/v1/namespaces/default', headers);
  const stateFile = (name: string): string => join(folder, '.ashlar', name);
  await using bare = await startBareServer(
    { certificate: stateFile('server.crt'), key: stateFile('server.key') },
    answer,
  );
  await compareRefusals(bare, server);
}

async function compareRefusals(bare: Serving, server: Serving): Promise<void> {
  await using strangers = await callerOf(server.port, get('unknown'), CONNECTIONS);
  await using others = await callerOf(bare.port, get('unknown'), CONNECTIONS);
  // warm-up, not counted
  await pause(3);
  for (const caller of [strangers, others]) caller.rest(true);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const plain = await perCpuSecond(others, '401', bare.pid);
    ratios.push(plain / (await perCpuSecond(strangers, '401', server.pid)));
  }
  console.log(`a refusal costs, as many times as a bare answer: ${summary(ratios)}`);
}

async function gets({ port, pid, token }: OwnServer): Promise<void> {
  await using authenticated = await callerOf(port, get(token), CONNECTIONS);
  await using strangers = await callerOf(port, get('unknown'), CONNECTIONS, REFUSALS);
  await pause(3);
  authenticated.rest(true);
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    strangers.rest(true);
    const alone = await perCpuSecond(authenticated, '200', pid);
    strangers.rest(false);
    ratios.push((await perCpuSecond(authenticated, '200', pid)) / alone);
  }
  console.log(`gets beside ${REFUSALS} refusals a second, as many times as alone: ${summary(ratios)}`);
}

await measure();
