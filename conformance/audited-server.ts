import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditBackendOptions, createAuditLog, createAuditWebhook, readAuditPolicy } from '@ashlar/audit';
import { yamlSerializer } from '@ashlar/codec';
import type { Vocabulary } from '@ashlar/core';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { startServerUnderTest } from './server-under-test.ts';

/** How a server records the events of some fixtures: what the flags of `audit/configurations.tsv` say. */
export interface AuditConfiguration {
  readonly fixtures: readonly string[];
  /** Name of the file. */
  readonly policy: string;
  /** A file; or the player, to whom events are posted. */
  readonly sink: 'log' | 'receiver';
  readonly format?: 'json' | 'legacy';
  readonly backend: Omit<AuditBackendOptions, 'sink'>;
  /** How long nothing may come before events are looked at, in milliseconds. */
  readonly quiet?: number;
}

const posted = { policy: 'policy-posted.yaml', sink: 'receiver' } as const;

export const auditConfigurations: readonly AuditConfiguration[] = [
  {
    fixtures: ['audit-log-callers.json', 'audit-log-rules.json', 'audit-log-verbs.json'],
    ...{ policy: 'policy.yaml', sink: 'log', backend: { mode: 'blocking' } },
  },
  {
    ...{ fixtures: ['audit-brief.json'], policy: 'policy-brief.yaml', sink: 'log' },
    backend: { mode: 'blocking', truncate: { maximumEventBytes: 3000, maximumBatchBytes: 100_000 } },
  },
  {
    ...{ fixtures: ['audit-legacy.json'], policy: 'policy.yaml', sink: 'log', format: 'legacy' },
    backend: { mode: 'blocking' },
  },
  { fixtures: ['audit-webhook-blocking.json'], ...posted, backend: { mode: 'blocking' } },
  { fixtures: ['audit-webhook-strict.json'], ...posted, backend: { mode: 'blocking-strict' } },
  {
    ...{ fixtures: ['audit-webhook-batch.json'], ...posted, quiet: 2600 },
    backend: { mode: 'batch', batch: { maximumSize: 4, maximumWaitMilliseconds: 2000 } },
  },
];

const RETRY_MILLISECONDS = 200;

/** A server that records events, and where the player finds them. */
export interface AuditedServer extends AsyncDisposable {
  readonly url: string;
  readonly player: { readonly log?: string; readonly receiver?: number; readonly quiet?: number };
}

/** @param policy text of the policy, in the names of the vocabulary */
export async function startAudited(
  { sink, format = 'json', backend, quiet }: AuditConfiguration,
  policy: string,
  vocabulary: Vocabulary,
): Promise<AuditedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const log = join(folder, 'audit.log');
  const receiver = sink === 'receiver' ? await freePort() : undefined;
  const ambient = nodeAmbient(vocabulary);
  const transport = createNodeTransport();
  const decoded = yamlSerializer.decode(new TextEncoder().encode(policy));
  const server = await startServerUnderTest(vocabulary, {
    audit: {
      policy: readAuditPolicy(decoded.value, vocabulary).policy,
      backends: [
        {
          ...backend,
          sink: receiver
            ? createAuditWebhook({
                ...{ ambient, transport, url: `http://127.0.0.1:${receiver}/audit` },
                initialBackoffMilliseconds: RETRY_MILLISECONDS,
              })
            : createAuditLog({ vocabulary, format, write: (line) => appendFileSync(log, line) }),
        },
      ],
    },
  });
  return {
    url: server.url,
    player: { ...(receiver ? { receiver } : { log }), ...(quiet && { quiet }) },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      transport.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
