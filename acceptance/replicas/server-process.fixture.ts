import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createNodeTransport, type NodeTransport } from '@ashlar/http-node';
import { AshlarProcess } from '../../packages/server/src/command/ashlar-process.fixture.ts';
import type { ServerAddress } from './replica.fixture.ts';

/** A server in a process of its own, by its secure listener. */
export interface ServerProcess extends AsyncDisposable, ServerAddress {
  readonly process: AshlarProcess;
}

/** Starts a server with a folder of its own. */
export async function startProcess(...flags: readonly string[]): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'replica-'));
  const started = await startProcessIn(folder, ...flags);
  return {
    ...started,
    async [Symbol.asyncDispose]() {
      await started[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a server in a folder that stays. */
export async function startProcessIn(folder: string, ...flags: readonly string[]): Promise<ServerProcess> {
  const process = await new AshlarProcess(folder, 'serve', '--secure-port=0', ...flags).serving();
  const tls = { certificateAuthorities: process.file('ca.crt') };
  const transport: NodeTransport = createNodeTransport({ tls });
  return {
    process,
    url: process.url,
    transport,
    headers: { authorization: `Bearer ${process.file('admin.token')}` },
    async [Symbol.asyncDispose]() {
      transport.close();
      await process[Symbol.asyncDispose]();
    },
  };
}
