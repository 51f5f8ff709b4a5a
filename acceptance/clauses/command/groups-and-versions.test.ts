import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { forEachVocabulary } from './clause-command.fixture.ts';
import { ROOT, type ServedCommand } from './served-command.fixture.ts';

const FLAG = '--runtime-config';
const root = mkdtempSync(join(tmpdir(), 'versions-'));
afterAll(() => rmSync(root, { recursive: true }));

forEachVocabulary('Enabling and disabling groups and versions', ({ vocabulary, serve, refusal }) => {
  const { groupDomain } = vocabulary;
  const coordination = `coordination.${groupDomain}`;
  const roles = `rbac.authorization.${groupDomain}`;
  const LEASES = `/apis/${coordination}/v1/namespaces/default/leases`;
  const statusOf = async (server: ServedCommand, path: string): Promise<number> =>
    (await server.get(path, ROOT)).status;
  /** Resources of a version in discovery; undefined if the version is not there. */
  const discovered = async (
    server: ServedCommand,
    version: string,
  ): Promise<readonly string[] | undefined> => {
    const found = await server.get(`/apis/${version}`, ROOT);
    const { groups } = (await server.get('/apis', ROOT)).body as {
      groups: { versions: { groupVersion: string }[] }[];
    };
    const listed = groups.some(({ versions }) =>
      versions.some(({ groupVersion }) => groupVersion === version),
    );
    expect([version, found.status]).toEqual([version, listed ? 200 : 404]);
    return listed ? found.body.resources.map(({ name }: { name: string }) => name) : undefined;
  };

  it('R205: pairs switch what is on by default; without a value they mean true', async () => {
    await using usual = await serve();
    expect([await statusOf(usual, LEASES), await discovered(usual, `${coordination}/v1`)]).toEqual([
      200,
      ['leases'],
    ]);
    await using without = await serve(`${FLAG}=${coordination}/v1=false,${roles}/v1`);
    expect([await statusOf(without, LEASES), await discovered(without, `${coordination}/v1`)]).toEqual([
      404,
      undefined,
    ]);
    expect(await statusOf(without, `/apis/${roles}/v1/clusterroles`)).toBe(200);
    for (const value of ['', '=true']) {
      await using server = await serve(`${FLAG}=${coordination}/v1=false,${coordination}/v1${value}`);
      expect(await statusOf(server, LEASES)).toBe(200);
    }
    expect(await refusal(`${FLAG}=${coordination}/v1=no`)).toContain(
      `flag ${FLAG}: invalid value of ${coordination}/v1: no`,
    );
  });

  it('R206: a version is enabled or disabled, or one resource of a version', async () => {
    await using off = await serve(`${FLAG}=${roles}/v1=false`);
    expect(await discovered(off, `${roles}/v1`)).toBeUndefined();
    await using one = await serve(`${FLAG}=${roles}/v1=false,${roles}/v1/clusterroles`);
    expect(await discovered(one, `${roles}/v1`)).toEqual(['clusterroles']);
    expect(await statusOf(one, `/apis/${roles}/v1/clusterroles`)).toBe(200);
    expect(await statusOf(one, `/apis/${roles}/v1/clusterrolebindings`)).toBe(404);
    for (const key of [roles, `${roles}/v1/clusterroles/status`, 'v2'])
      expect(await refusal(`${FLAG}=${key}=false`)).toContain(
        `flag ${FLAG}: runtime-config invalid key ${key}`,
      );
    for (const [key, why] of [
      ['nobody.example/v1', 'unknown api groups nobody.example'],
      [`${roles}/v9`, `group version ${roles}/v9 that has not been registered`],
      [`${roles}/v1/nothing`, `there is no ${roles}/v1/nothing`],
    ])
      expect(await refusal(`${FLAG}=${key}=false`)).toContain(`flag ${FLAG}: ${why}`);
  });

  it('R207: it takes effect when the server starts, and loses nothing', async () => {
    const storage = `--storage=sqlite:${join(root, `${vocabulary.name}.db`)}`;
    const start = async (flags: readonly string[], work: (server: ServedCommand) => Promise<void>) => {
      await using server = await serve(storage, ...flags);
      await work(server);
    };
    await start([], async (server) => void (await server.make(LEASES, { metadata: { name: 'x' } })));
    await start([`${FLAG}=${coordination}/v1=false`], async (server) => {
      expect(await statusOf(server, `${LEASES}/x`)).toBe(404);
    });
    await start([], async (server) => {
      expect(await statusOf(server, `${LEASES}/x`)).toBe(200);
    });
  });
});
