import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, JSON_PATCH, MERGE_PATCH } from '../clause-server.fixture.ts';

forEachVocabulary('Query parameters', (test) => {
  test('R094: watch turns a GET into a watch', async ({ server }) => {
    await server.configMap('x');
    for (const value of ['1', 'true', '']) {
      const watch = await server.watch(`${CONFIG_MAPS}?watch=${value}`);
      expect(await watch.types(1)).toEqual(['ADDED x']);
    }
    for (const value of ['0', 'false']) {
      expect((await server.get(`${CONFIG_MAPS}?watch=${value}`)).body.kind).toBe('ConfigMapList');
    }
  });

  test('R095: resourceVersion is read by get, list and watch', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const version = `resourceVersion=${metadata.resourceVersion}`;
    expect(await server.get(`${CONFIG_MAPS}/x?${version}`)).toMatchObject({ status: 200 });
    expect(await server.get(`${CONFIG_MAPS}?${version}`)).toMatchObject({ status: 200 });
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&${version}`);
    await server.configMap('y');
    expect(await watch.types(1)).toEqual(['ADDED y']);
    for (const path of [`${CONFIG_MAPS}/x?`, `${CONFIG_MAPS}?`]) {
      expect(await server.get(`${path}resourceVersion=yesterday`)).toMatchObject({ status: 400 });
    }
  });

  test('R096: resourceVersionMatch determines how a version is used', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    await server.configMap('y');
    const items = async (match: string): Promise<number> =>
      (
        await server.get(
          `${CONFIG_MAPS}?resourceVersion=${metadata.resourceVersion}&resourceVersionMatch=${match}`,
        )
      ).body.items.length;
    expect(await items('Exact')).toBe(1);
    expect(await items('NotOlderThan')).toBe(2);
    for (const match of ['Exact', 'NotOlderThan', 'Newest']) {
      const alone = await server.get(`${CONFIG_MAPS}?resourceVersionMatch=${match}`);
      expect(alone).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
    }
    const watch = await server.get(`${CONFIG_MAPS}?watch=1&sendInitialEvents=true`);
    expect(watch).toMatchObject({ status: 422 });
  });

  test('R097: limit is the maximum size of a chunk', async ({ server }) => {
    for (const name of ['x', 'y', 'z']) await server.configMap(name);
    const lengths = [];
    for (const limit of [1, 2, 3, 4, 0]) {
      lengths.push((await server.get(`${CONFIG_MAPS}?limit=${limit}`)).body.items.length);
    }
    expect(lengths).toEqual([1, 2, 3, 3, 3]);
    expect(await server.get(`${CONFIG_MAPS}?limit=many`)).toMatchObject({ status: 400 });
  });

  test('R098: continue is the token of the previous chunk', async ({ server }) => {
    for (const name of ['x', 'y', 'z']) await server.configMap(name);
    const { metadata } = (await server.get(`${CONFIG_MAPS}?limit=1`)).body;
    const { items } = (await server.get(`${CONFIG_MAPS}?continue=${metadata.continue}`)).body;
    expect(items.map(({ metadata: { name } }) => name)).toEqual(['y', 'z']);
    expect(await server.get(`${CONFIG_MAPS}?continue=nonsense`)).toMatchObject({ status: 400 });
  });

  test('R099: allowWatchBookmarks requests bookmarks', async ({ timed }) => {
    await timed.configMap('x');
    const asked = await timed.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=90`);
    const unasked = await timed.watch(`${CONFIG_MAPS}?watch=1&timeoutSeconds=90`);
    await timed.clock.advance(90_000);
    const types = async (watch: typeof asked): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (let event = await watch.next(); event; event = await watch.next()) seen.push(event.type);
      return seen;
    };
    expect(new Set(await types(asked))).toEqual(new Set(['ADDED', 'BOOKMARK']));
    expect(await types(unasked)).toEqual(['ADDED']);
  });

  test('R100: sendInitialEvents starts with existing objects, and needs NotOlderThan', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const watch = `${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    const initial = await server.watch(`${watch}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`);
    expect(await initial.types(1)).toEqual(['ADDED x']);
    for (const match of ['', '&resourceVersionMatch=Exact']) {
      expect(await server.get(`${watch}&sendInitialEvents=true${match}`)).toMatchObject({ status: 422 });
    }
    expect(await server.get(`${CONFIG_MAPS}?sendInitialEvents=true`)).toMatchObject({ status: 422 });
  });

  test('R101: dryRun is All, or has no value and no effect', async ({ server }) => {
    const body = { metadata: { name: 'x' } };
    expect(await server.post(`${CONFIG_MAPS}?dryRun=All`, body)).toMatchObject({ status: 201 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
    expect(await server.post(`${CONFIG_MAPS}?dryRun`, body)).toMatchObject({ status: 201 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 200 });
    const path = `${CONFIG_MAPS}/x?dryRun=Some`;
    expect(await server.put(path, body)).toMatchObject({ status: 422 });
    expect(await server.patch(path, MERGE_PATCH, {})).toMatchObject({ status: 422 });
    expect(await server.delete(path)).toMatchObject({ status: 422 });
    expect(await server.delete(`${CONFIG_MAPS}/x?dryRun`)).toMatchObject({ status: 200 });
    expect(await server.get(`${CONFIG_MAPS}/x`)).toMatchObject({ status: 404 });
  });

  test('R102: fieldValidation is Ignore, Warn or Strict', async ({ server }) => {
    const body = { metadata: { name: 'x' }, colour: 'red' };
    await server.configMap('x');
    const patch = [{ op: 'add', path: '/colour', value: 'red' }];
    const outcomes = async (level: string): Promise<readonly unknown[]> => {
      const query = `dryRun=All&fieldValidation=${level}`;
      const replies = [
        await server.post(`${CONFIG_MAPS}?${query}`, { metadata: { name: 'y' }, colour: 'red' }),
        await server.put(`${CONFIG_MAPS}/x?${query}`, body),
        await server.patch(`${CONFIG_MAPS}/x?${query}`, JSON_PATCH, patch),
      ];
      return replies.map(({ status, headers }) => `${status}${headers.has('warning') ? ' warned' : ''}`);
    };
    expect(await outcomes('Ignore')).toEqual(['201', '200', '200']);
    expect(await outcomes('Warn')).toEqual(['201 warned', '200 warned', '200 warned']);
    expect(await outcomes('')).toEqual(await outcomes('Warn'));
    expect(await outcomes('Strict')).toEqual(['400', '400', '400']);
    expect(await outcomes('Loose')).toEqual(['422', '422', '422']);
  });

  test('R105: pretty indents responses', async ({ server }) => {
    const made = await server.configMap('x');
    const { text, body } = await server.get(`${CONFIG_MAPS}/x?pretty=true`);
    expect(text).toBe(JSON.stringify(made, undefined, 2));
    expect(body).toEqual(made);
    expect((await server.get(`${CONFIG_MAPS}/x`)).text).toBe(`${JSON.stringify(made)}\n`);
    const written = await server.put(`${CONFIG_MAPS}/x?dryRun&pretty=true`, { metadata: { name: 'x' } });
    expect(written.text).toContain('\n  "kind": "ConfigMap"');
  });
});
