import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { AshlarProcess } from '../ashlar-process.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'serve-garbage-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const MAPS = '/api/v1/namespaces/default/configmaps';

interface Answer {
  readonly status: number;
  readonly body: {
    readonly metadata: { readonly uid: string; readonly finalizers?: readonly string[] };
  } & Readonly<Record<string, unknown>>;
}

async function ask(server: AshlarProcess, method: string, path: string, object?: unknown): Promise<Answer> {
  const response = await server.request(
    method,
    path,
    object === undefined ? {} : { body: JSON.stringify(object) },
  );
  return { status: response.status, body: JSON.parse(new TextDecoder().decode(await response.body())) };
}

const serve = (...flags: readonly string[]): Promise<AshlarProcess> =>
  new AshlarProcess(folder, 'serve', '--secure-port=0', '--vocabulary=kubernetes', ...flags).serving();

describe('ashlar serve after a restart', () => {
  it('goes on to collect what was left, and has the service of its new port', async () => {
    const port = async (server: AshlarProcess): Promise<unknown> => {
      const { body } = await ask(server, 'GET', '/api/v1/namespaces/default/services/kubernetes');
      return body.spec;
    };
    const first = await serve('--controllers=*,-garbagecollector', '--service-cluster-ip-range=10.7.0.0/16');
    const { body } = await ask(first, 'POST', MAPS, { metadata: { name: 'owner' } });
    const { uid } = body.metadata;
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true };
    for (let i = 0; i < 20; i++)
      await ask(first, 'POST', MAPS, { metadata: { name: `d${i}`, ownerReferences: [reference] } });
    const deleted = await ask(first, 'DELETE', `${MAPS}/owner?propagationPolicy=Foreground`);
    expect(deleted.body.metadata.finalizers).toEqual(['foregroundDeletion']);
    expect((await ask(first, 'GET', `${MAPS}/d0`)).status).toBe(200);
    const targetPort = Number(new URL(first.url).port);
    expect(await port(first)).toMatchObject({ clusterIP: '10.7.0.1', ports: [{ port: 443, targetPort }] });
    // without a word to anybody
    expect(await first.kill('SIGKILL')).toBe(null);

    await using second = await serve();
    const left = async (): Promise<readonly unknown[]> =>
      (await ask(second, 'GET', MAPS)).body.items as readonly unknown[];
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
    const now = Number(new URL(second.url).port);
    expect(await port(second)).toMatchObject({
      clusterIP: '10.7.0.1',
      ports: [{ port: 443, targetPort: now }],
    });
    expect(second.stderr).toBe('');
  });
});
