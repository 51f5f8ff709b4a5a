import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, MERGE_PATCH, type WireEvent } from '../clause-server.fixture.ts';

forEachVocabulary('Watch semantics', (test) => {
  test('R135: a watch without a version starts with existing objects', async ({ server }) => {
    for (const name of ['y', 'x']) await server.configMap(name);
    const newest = (await server.patch(`${CONFIG_MAPS}/y`, MERGE_PATCH, { data: { key: 'value' } })).body;
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    await server.delete(`${CONFIG_MAPS}/x`);
    expect(await watch.types(1)).toEqual(['ADDED x']);
    expect(await watch.next()).toEqual({ type: 'ADDED', object: newest });
    expect(await watch.types(1)).toEqual(['DELETED x']);
  });

  test('R136: a watch from version 0 starts with existing objects', async ({ server }) => {
    await server.configMap('x');
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=0`);
    await server.configMap('y');
    expect(await watch.types(2)).toEqual(['ADDED x', 'ADDED y']);
  });

  test('R137: a watch from a version sends later changes', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    await server.configMap('y');
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await server.delete(`${CONFIG_MAPS}/y`);
    expect(await watch.types(3)).toEqual(['ADDED y', 'MODIFIED x', 'DELETED y']);
  });
});

forEachVocabulary('Efficient change detection', (test) => {
  test('R138: a watch continues a list or a get', async ({ server }) => {
    await server.configMap('x');
    const { metadata } = (await server.get(CONFIG_MAPS)).body;
    const object = (await server.get(`${CONFIG_MAPS}/x`)).body;
    await server.configMap('y');
    const changed = (await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } })).body;
    await server.put(`${CONFIG_MAPS}/x`, { ...changed, data: {} });
    await server.delete(`${CONFIG_MAPS}/y`);
    const outcomes = ['ADDED y', 'MODIFIED x', 'MODIFIED x', 'DELETED y'];
    for (const { resourceVersion } of [metadata, object.metadata]) {
      const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`);
      expect(await watch.types(4)).toEqual(outcomes);
    }
  });

  test('R139: a broken watch resumes from the last seen version', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const first = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await server.configMap('y');
    const { object } = (await first.next()) as WireEvent;
    await first[Symbol.asyncDispose]();
    await server.configMap('z');
    const { resourceVersion } = object.metadata;
    const second = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await second.types(1)).toEqual(['ADDED z']);
  });

  test('R140: compacted history returns 410, and a new list continues', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    await timed.configMap('y');
    await timed.clock.advance(300_001);
    const old = await timed.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    expect(await old.next()).toMatchObject({ type: 'ERROR', object: { kind: 'Status', code: 410 } });
    expect(await old.next()).toBeUndefined();
    const { resourceVersion } = (await timed.get(CONFIG_MAPS)).body.metadata;
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`);
    await timed.configMap('z');
    expect(await watch.types(1)).toEqual(['ADDED z']);
  });

  test('R141: a bookmark follows everything up to its version', async ({ timed }) => {
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true`);
    await timed.configMap('x');
    const other = await timed.post('/api/v1/namespaces/b/configmaps', { metadata: { name: 'y' } });
    expect(await watch.types(2)).toEqual(['BOOKMARK undefined', 'ADDED x']);
    const { object } = (await timed.waitFor(watch.next())) as WireEvent;
    const { resourceVersion } = object.metadata;
    expect(Number(resourceVersion)).toBeGreaterThanOrEqual(Number(other.body.metadata.resourceVersion));
    await timed.configMap('z');
    const next = await timed.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${resourceVersion}`);
    expect(await next.types(1)).toEqual(['ADDED z']);
    expect(await watch.types(1)).toEqual(['ADDED z']);
  });

  test('R142: a streaming list sends existing objects, a bookmark, then changes', async ({
    server,
    vocabulary,
  }) => {
    const { metadata } = await server.configMap('x');
    const newest = await server.configMap('y');
    const streaming = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    for (const version of ['', '&resourceVersion=', `&resourceVersion=${metadata.resourceVersion}`]) {
      const watch = await server.watch(`${CONFIG_MAPS}?${streaming}${version}&allowWatchBookmarks=true`);
      expect(await watch.types(2)).toEqual(['ADDED x', 'ADDED y']);
      const { type, object } = (await watch.next()) as WireEvent;
      expect(type).toBe('BOOKMARK');
      expect(object.metadata.resourceVersion).toBe(newest.metadata.resourceVersion);
      expect(object.metadata.annotations).toMatchObject({
        [`${vocabulary.groupDomain}/initial-events-end`]: 'true',
      });
      await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: {} });
      await watch[Symbol.asyncDispose]();
    }
    const unmarked = await server.watch(`${CONFIG_MAPS}?${streaming}`);
    await server.configMap('z');
    expect(await unmarked.types(3)).toEqual(['ADDED x', 'ADDED y', 'ADDED z']);
  });

  test('R142: a streaming list waits for its version', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const next = Number(metadata.resourceVersion) + 1;
    const streaming = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    const watch = await timed.watch(
      `${CONFIG_MAPS}?${streaming}&allowWatchBookmarks=true&resourceVersion=${next}`,
    );
    await timed.configMap('y');
    expect(await watch.types(2)).toEqual(['ADDED x', 'ADDED y']);
    expect(await watch.next()).toMatchObject({ type: 'BOOKMARK' });
  });

  test('R143: future versions are rejected after a while, and watches wait for them', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const future = Number(metadata.resourceVersion) + 2;
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${future}`);
    for (const path of [CONFIG_MAPS, `${CONFIG_MAPS}/x`]) {
      const refused = await timed.waitFor(timed.get(`${path}?resourceVersion=${future}`));
      expect(refused.status).toBe(504);
      expect(refused.body.message).toContain('Too large resource version');
      expect(refused.body.details).toMatchObject({ causes: [{ reason: 'ResourceVersionTooLarge' }] });
    }
    for (const name of ['y', 'z', 'told']) await timed.configMap(name);
    expect(await watch.types(1)).toEqual(['ADDED told']);
  });
});
