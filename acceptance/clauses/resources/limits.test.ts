import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, JSON_PATCH } from '../clause-server.fixture.ts';

forEachVocabulary('Limits', (test) => {
  test('R194: history is retained for five minutes', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    await timed.configMap('y');
    const exact = `${CONFIG_MAPS}?resourceVersionMatch=Exact&resourceVersion=${metadata.resourceVersion}`;
    await timed.clock.advance(5 * 60_000 - 1);
    expect(await timed.get(exact)).toMatchObject({ status: 200 });
    await timed.clock.advance(1);
    expect(await timed.get(exact)).toMatchObject({ status: 410 });
  });

  test('R196: bookmarks are optional', async ({ timed }) => {
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true&timeoutSeconds=1`);
    await timed.configMap('x');
    await timed.clock.advance(1000);
    // that of the initial events, and no other
    expect(await watch.types(3)).toEqual(['BOOKMARK undefined', 'ADDED x', 'end']);
  });

  test('R197: unknown fields cause warnings by default', async ({ server }) => {
    const body = { metadata: { name: 'x' }, colour: 'red' };
    const replies = [
      await server.post(CONFIG_MAPS, body),
      await server.put(`${CONFIG_MAPS}/x`, body),
      await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, [{ op: 'add', path: '/colour', value: 'red' }]),
    ];
    expect(replies.map(({ status }) => status)).toEqual([201, 200, 200]);
    for (const { headers } of replies) {
      expect(headers.get('warning')).toBe('299 - "unknown field \\"colour\\""');
    }
  });

  test('R198: bodies have a size limit', async ({ server }) => {
    const limit = 3 * 1024 * 1024;
    const padded = (length: number) => `{"metadata":{"name":"x"}}`.padEnd(length);
    const post = (body: string) =>
      server.send('POST', CONFIG_MAPS, { body, headers: { 'content-type': 'application/json' } });
    const refused = await post(padded(limit + 1));
    expect(refused).toMatchObject({ status: 413, body: { reason: 'RequestEntityTooLarge' } });
    expect(await post(padded(limit))).toMatchObject({ status: 201 });
    const operations = Array.from({ length: 10_001 }, () => ({
      op: 'test',
      path: '/kind',
      value: 'ConfigMap',
    }));
    expect(await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, operations)).toMatchObject({ status: 413 });
    const allowed = operations.slice(1);
    expect(await server.patch(`${CONFIG_MAPS}/x`, JSON_PATCH, allowed)).toMatchObject({ status: 200 });
  });
});
