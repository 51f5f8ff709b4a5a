import { expect } from 'vitest';
import { ALL_CONFIG_MAPS, CONFIG_MAPS, forEachVocabulary } from '../clause-server.fixture.ts';

forEachVocabulary('Chunked list', (test) => {
  test('R144: a chunk has at most the requested number of items, and a token if there are more', async ({
    server,
  }) => {
    for (const name of ['x', 'y', 'z']) await server.configMap(name);
    for (const limit of [1, 2]) {
      const { items, metadata } = (await server.get(`${CONFIG_MAPS}?limit=${limit}`)).body;
      expect(items).toHaveLength(limit);
      expect(metadata.continue).toMatch(/./);
    }
    for (const limit of [3, 4]) {
      const { items, metadata } = (await server.get(`${CONFIG_MAPS}?limit=${limit}`)).body;
      expect({ length: items.length, token: metadata.continue }).toEqual({ length: 3, token: '' });
    }
  });

  test('R145: following the tokens returns every item once', async ({ server }) => {
    const expected: string[] = [];
    for (const namespace of ['a', 'b']) {
      for (let i = 0; i < 7; i++) {
        const metadata = { name: `x-${i}`, labels: { even: String(i % 2 === 0) } };
        await server.post(`/api/v1/namespaces/${namespace}/configmaps`, { metadata });
        expected.push(`${namespace}/x-${i}`);
      }
    }
    const read = async (query: string): Promise<readonly string[]> => {
      const seen: string[] = [];
      let token = '';
      do {
        const page = await server.get(`${ALL_CONFIG_MAPS}?${query}&continue=${token}`);
        expect(page.status).toBe(200);
        seen.push(...page.body.items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
        token = page.body.metadata.continue;
      } while (token);
      return seen;
    };
    for (const limit of [1, 3, 5, 14]) expect(await read(`limit=${limit}`)).toEqual(expected);
    const even = expected.filter((name) => Number(name.at(-1)) % 2 === 0);
    expect(await read('limit=3&labelSelector=even%3Dtrue')).toEqual(even);
  });

  test('R146: all chunks are of one version, despite concurrent changes', async ({ server }) => {
    for (const name of ['v', 'w', 'x', 'y']) await server.configMap(name);
    const first = (await server.get(`${CONFIG_MAPS}?limit=1`)).body;
    await server.configMap('u');
    await server.configMap('z');
    await server.put(`${CONFIG_MAPS}/w`, { metadata: { name: 'w' }, data: { key: 'later' } });
    await server.delete(`${CONFIG_MAPS}/x`);
    const rest = (await server.get(`${CONFIG_MAPS}?limit=9&continue=${first.metadata.continue}`)).body;
    expect(rest.items.map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ['w', undefined],
      ['x', undefined],
      ['y', undefined],
    ]);
    expect(rest.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
    const anew = (await server.get(CONFIG_MAPS)).body.items.map(({ metadata }) => metadata.name);
    expect(anew).toEqual(['u', 'v', 'w', 'y', 'z']);
  });

  test('R147: a token expires, and the list must be restarted', async ({ timed }) => {
    for (const name of ['x', 'y', 'z']) await timed.configMap(name);
    const { metadata } = (await timed.get(`${CONFIG_MAPS}?limit=1`)).body;
    await timed.configMap('later');
    const next = `${CONFIG_MAPS}?limit=1&continue=${metadata.continue}`;
    await timed.clock.advance(299_999);
    expect(await timed.get(next)).toMatchObject({ status: 200 });
    await timed.clock.advance(1);
    const expired = await timed.get(next);
    expect(expired).toMatchObject({ status: 410, body: { reason: 'Expired' } });
    const token = expired.body.metadata.continue;
    const inconsistent = (await timed.get(`${CONFIG_MAPS}?continue=${token}`)).body;
    expect(inconsistent.items.map(({ metadata: { name } }) => name)).toEqual(['y', 'z']);
    expect((await timed.get(`${CONFIG_MAPS}?limit=1`)).body.items).toHaveLength(1);
    expect((await timed.get(CONFIG_MAPS)).body.items).toHaveLength(4);
  });
});
