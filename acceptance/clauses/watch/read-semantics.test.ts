import { expect } from 'vitest';
import {
  type ClauseServer,
  CONFIG_MAPS,
  forEachVocabulary,
  MERGE_PATCH,
  type Reply,
} from '../clause-server.fixture.ts';

/** Stores x, y and z, one after the other. */
async function three(server: ClauseServer): Promise<readonly [string, string, string]> {
  const versions: string[] = [];
  for (const name of ['x', 'y', 'z']) versions.push((await server.configMap(name)).metadata.resourceVersion);
  return versions as [string, string, string];
}

const list = (server: ClauseServer, query: string): Promise<Reply> => server.get(`${CONFIG_MAPS}?${query}`);
const names = ({ body }: Reply): readonly string[] => body.items.map(({ metadata }) => metadata.name);

forEachVocabulary('Get and list semantics', (test) => {
  test('R117: a get without a version reads the latest', async ({ server }) => {
    await server.configMap('x');
    const { body } = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect((await server.get(`${CONFIG_MAPS}/x`)).body).toEqual(body);
  });

  test('R118: a get of version 0 reads any', async ({ server }) => {
    const made = await server.configMap('x');
    expect((await server.get(`${CONFIG_MAPS}/x?resourceVersion=0`)).body).toEqual(made);
    expect(await server.get(`${CONFIG_MAPS}/y?resourceVersion=0`)).toMatchObject({ status: 404 });
  });

  test('R119: a get of a version reads it or a newer one', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const newer = await timed.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    const older = await timed.get(`${CONFIG_MAPS}/x?resourceVersion=${metadata.resourceVersion}`);
    expect(older.body).toEqual(newer.body);
    const next = Number(newer.body.metadata.resourceVersion) + 1;
    const pending = timed.get(`${CONFIG_MAPS}/x?resourceVersion=${next}`);
    const newest = await timed.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'later' } });
    expect((await timed.waitFor(pending)).body).toEqual(newest.body);
  });

  test('R121: a list of a version may be newer, and never older', async ({ timed }) => {
    const [first, , third] = await three(timed);
    for (const query of ['', 'resourceVersion=0', `resourceVersion=${first}`]) {
      const reply = await list(timed, query);
      expect(names(reply)).toEqual(['x', 'y', 'z']);
      expect(reply.body.metadata.resourceVersion).toBe(third);
    }
    const future = await timed.waitFor(list(timed, `resourceVersion=${Number(third) + 1}`));
    expect(future.status).toBe(504);
  });

  test('R122: a limited list is of the newest version, or of exactly the given one', async ({ server }) => {
    const [, second, third] = await three(server);
    const newest = await list(server, 'limit=2');
    expect(newest.body.metadata).toMatchObject({ resourceVersion: third, remainingItemCount: 1 });
    const exact = await list(server, `limit=2&resourceVersion=${second}`);
    expect(exact.body.metadata).toMatchObject({ resourceVersion: second, continue: '' });
    expect(names(exact)).toEqual(['x', 'y']);
    expect(names(await list(server, 'limit=2&resourceVersion=0'))).toEqual(
      expect.arrayContaining(['x', 'y']),
    );
  });

  test('R123: a token reads its own version, and excludes another', async ({ server }) => {
    const [, , third] = await three(server);
    const { metadata } = (await list(server, 'limit=1')).body;
    await server.delete(`${CONFIG_MAPS}/y`);
    const next = `limit=1&continue=${metadata.continue}`;
    for (const query of [next, `${next}&resourceVersion=0`]) {
      const reply = await list(server, query);
      expect(names(reply)).toEqual(['y']);
      expect(reply.body.metadata.resourceVersion).toBe(third);
    }
    expect(await list(server, `${next}&resourceVersion=${third}`)).toMatchObject({ status: 400 });
  });

  test('R124: Exact reads exactly the version, and needs one', async ({ server }) => {
    const [first, second] = await three(server);
    const reply = await list(server, `resourceVersionMatch=Exact&resourceVersion=${second}`);
    expect(names(reply)).toEqual(['x', 'y']);
    expect(reply.body.metadata.resourceVersion).toBe(second);
    expect(names(await list(server, `resourceVersionMatch=Exact&resourceVersion=${first}`))).toEqual(['x']);
    for (const version of ['', '&resourceVersion=', '&resourceVersion=0']) {
      expect(await list(server, `resourceVersionMatch=Exact${version}`)).toMatchObject({ status: 422 });
    }
  });

  test('R125: Exact with a limit pages over exactly the version', async ({ server }) => {
    const [, second] = await three(server);
    const exact = 'limit=1&resourceVersionMatch=Exact';
    const first = await list(server, `${exact}&resourceVersion=${second}`);
    expect(first.body.metadata.resourceVersion).toBe(second);
    const rest = await list(server, `limit=5&continue=${first.body.metadata.continue}`);
    expect([...names(first), ...names(rest)]).toEqual(['x', 'y']);
    expect(rest.body.metadata.resourceVersion).toBe(second);
    for (const version of ['', '&resourceVersion=0']) {
      expect(await list(server, `${exact}${version}`)).toMatchObject({ status: 422 });
    }
  });

  test('R126: NotOlderThan reads the version or a newer one', async ({ timed }) => {
    const [first, , third] = await three(timed);
    const match = 'resourceVersionMatch=NotOlderThan';
    for (const version of ['0', first, third]) {
      const reply = await list(timed, `${match}&resourceVersion=${version}`);
      expect(names(reply)).toEqual(['x', 'y', 'z']);
      expect(reply.body.metadata.resourceVersion).toBe(third);
    }
    expect(await list(timed, match)).toMatchObject({ status: 422 });
    const future = list(timed, `${match}&resourceVersion=${Number(third) + 1}`);
    expect(await timed.waitFor(future)).toMatchObject({ status: 504 });
  });

  test('R127: NotOlderThan with a limit pages over the latest version', async ({ server }) => {
    const [first, , third] = await three(server);
    const match = 'limit=2&resourceVersionMatch=NotOlderThan';
    const page = await list(server, `${match}&resourceVersion=${first}`);
    expect(names(page)).toEqual(['x', 'y']);
    expect(page.body.metadata.resourceVersion).toBe(third);
    expect(names(await list(server, `limit=2&continue=${page.body.metadata.continue}`))).toEqual(['z']);
    expect(await list(server, `${match}&resourceVersion=0`)).toMatchObject({ status: 200 });
    expect(await list(server, match)).toMatchObject({ status: 422 });
  });

  test('R130: the latest version contains every acknowledged write', async ({ server }) => {
    const count = 20;
    await Promise.all(Array.from({ length: count }, (_, i) => server.configMap(`x-${i}`)));
    const { body } = await list(server, '');
    expect(body.items).toHaveLength(count);
    const newest = Math.max(...body.items.map(({ metadata }) => Number(metadata.resourceVersion)));
    expect(body.metadata.resourceVersion).toBe(String(newest));
  });

  test('R131: the version of a list is independent of its items', async ({ server }) => {
    const [first, , third] = await three(server);
    const { body } = await list(server, `resourceVersionMatch=NotOlderThan&resourceVersion=${third}`);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(Number(third));
    expect(body.items[0]?.metadata.resourceVersion).toBe(first);
  });

  test('R132: a compacted version cannot be read exactly', async ({ timed }) => {
    const [, second] = await three(timed);
    await timed.clock.advance(300_001);
    const gone = await list(timed, `resourceVersionMatch=Exact&resourceVersion=${second}`);
    expect(gone).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const newer = await list(timed, `resourceVersionMatch=NotOlderThan&resourceVersion=${second}`);
    expect(newer).toMatchObject({ status: 200 });
  });

  test('R133: a token contains the version of the first chunk', async ({ server }) => {
    const [, , third] = await three(server);
    const { metadata } = (await list(server, 'limit=1')).body;
    await server.patch(`${CONFIG_MAPS}/y`, MERGE_PATCH, { data: { key: 'later' } });
    await server.configMap('zz');
    const rest = await list(server, `continue=${metadata.continue}`);
    expect(names(rest)).toEqual(['y', 'z']);
    expect(rest.body.items[0]).not.toHaveProperty('data');
    expect(rest.body.metadata.resourceVersion).toBe(third);
  });

  test('R134: a rejected client continues without a version', async ({ timed }) => {
    const [first] = await three(timed);
    await timed.clock.advance(300_001);
    expect(await list(timed, `limit=1&resourceVersion=${first}`)).toMatchObject({ status: 410 });
    const newest = await list(timed, 'limit=1');
    expect(newest).toMatchObject({ status: 200 });
    expect(newest.body.items[0]?.metadata.resourceVersion).toBe(first);
  });
});
