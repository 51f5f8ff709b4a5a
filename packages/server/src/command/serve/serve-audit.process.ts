import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AshlarProcess } from '../ashlar-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-audit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A URL at which nobody listens. */
async function closedUrl(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}/events`;
}

describe.each(['batch', 'blocking'])('a server with a webhook for audit events, %s', (mode) => {
  it('ends in order though the webhook does not answer, and says what is lost', {
    timeout: 120_000,
  }, async () => {
    const policy = { apiVersion: 'audit.orch.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };
    writeFileSync(join(folder, 'policy.yaml'), JSON.stringify(policy));
    const hook = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a' },
      clusters: [{ name: 'a', cluster: { server: await closedUrl() } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: '' } }],
    };
    writeFileSync(join(folder, 'hook.yaml'), JSON.stringify(hook));
    await using server = await new AshlarProcess(
      folder,
      ...['serve', '--secure-port=0', '--storage=sqlite:store.db', '--shutdown-grace-period=5s'],
      ...['--audit-policy-file=policy.yaml', '--audit-webhook-config-file=hook.yaml'],
      `--audit-webhook-mode=${mode}`,
    ).serving();
    server.request('GET', '/version').catch(() => {});
    expect(await server.kill('SIGTERM')).toBe(0);
    expect(server.stderr).toContain('lost (webhook): it was not stored before the end');
  });
});
