import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, MERGE_PATCH, type WireEvent } from '../clause-server.fixture.ts';

forEachVocabulary('Events', (test) => {
  test('R178: events are sent to watches of the changed collection', async ({ server }) => {
    const here = await server.watch(`${CONFIG_MAPS}?watch=1`);
    const everywhere = await server.watch('/api/v1/configmaps?watch=1');
    const selected = await server.watch(`${CONFIG_MAPS}?watch=1&labelSelector=app%3Dshop`);
    await server.post('/api/v1/namespaces/b/configmaps', { metadata: { name: 'there' } });
    await server.configMap('x');
    await server.configMap('y', { metadata: { labels: { app: 'shop' } } });
    expect(await here.types(2)).toEqual(['ADDED x', 'ADDED y']);
    expect(await everywhere.types(3)).toEqual(['ADDED there', 'ADDED x', 'ADDED y']);
    expect(await selected.types(1)).toEqual(['ADDED y']);
  });

  test('R179: ADDED is sent for new objects, and for initial ones', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const streaming = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    for (const query of ['', '&resourceVersion=0', `&${streaming}`]) {
      const watch = await server.watch(`${CONFIG_MAPS}?watch=1${query}`);
      expect(await watch.types(1)).toEqual(['ADDED x']);
    }
    const from = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    await server.configMap('y');
    expect(await from.types(1)).toEqual(['ADDED y']);
  });

  test('R180: MODIFIED is sent for each change', async ({ server }) => {
    const { metadata } = await server.configMap('x');
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`);
    for (const key of ['1', '2', '2', '3']) {
      await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key } });
    }
    for (const key of ['1', '2', '3']) {
      expect(await watch.next()).toMatchObject({ type: 'MODIFIED', object: { data: { key } } });
    }
  });

  test('R181: BOOKMARK is sent only on request', async ({ timed }) => {
    const asked = await timed.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true`);
    const unasked = await timed.watch(`${CONFIG_MAPS}?watch=1`);
    const { metadata } = await timed.configMap('x');
    await timed.clock.advance(300_000);
    await timed.configMap('y');
    expect(await asked.types(2)).toEqual(['BOOKMARK undefined', 'ADDED x']);
    const { type, object } = (await asked.next()) as WireEvent;
    expect({ type, version: object.metadata.resourceVersion }).toEqual({
      type: 'BOOKMARK',
      version: metadata.resourceVersion,
    });
    expect(await unasked.types(2)).toEqual(['ADDED x', 'ADDED y']);
  });

  test('R182: DELETED is sent for deleted objects, with their last content', async ({ server }) => {
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    const made = await server.configMap('x', { data: { key: 'value' } });
    await server.delete(`${CONFIG_MAPS}/x`);
    await watch.next();
    const { type, object } = (await watch.next()) as WireEvent;
    expect({ type, data: object.data }).toEqual({ type: 'DELETED', data: { key: 'value' } });
    expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(made.metadata.resourceVersion));
  });

  test('R182: an object that leaves a selector is DELETED', async ({ server }) => {
    await server.configMap('x', { metadata: { labels: { app: 'shop' } } });
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1&labelSelector=app%3Dshop`);
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { metadata: { labels: { app: 'bank' } } });
    await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { metadata: { labels: { app: 'shop' } } });
    expect(await watch.types(3)).toEqual(['ADDED x', 'DELETED x', 'ADDED x']);
  });

  test('R183: history is retained for a time, then watches from it are 410', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    await timed.configMap('y');
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${metadata.resourceVersion}`;
    await timed.clock.advance(299_999);
    expect(await (await timed.watch(path)).types(1)).toEqual(['ADDED y']);
    await timed.clock.advance(1);
    expect(await (await timed.watch(path)).next()).toMatchObject({
      type: 'ERROR',
      object: { kind: 'Status', code: 410, reason: 'Expired' },
    });
  });
});
