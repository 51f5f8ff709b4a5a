import { expect } from 'vitest';
import { CONFIG_MAPS, forEachVocabulary, MERGE_PATCH, type WireEvent } from '../clause-server.fixture.ts';

forEachVocabulary('Watch event', (test) => {
  test('R045: an event has a type', async ({ timed }) => {
    await timed.configMap('x');
    const watch = await timed.watch(`${CONFIG_MAPS}?watch=1&allowWatchBookmarks=true`);
    await timed.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect(await watch.types(3)).toEqual(['ADDED x', 'BOOKMARK undefined', 'MODIFIED x']);
    expect(await timed.waitFor(watch.next())).toMatchObject({ type: 'BOOKMARK' });
  });

  test('R046: an event contains the object after the change', async ({ server }) => {
    const watch = await server.watch(`${CONFIG_MAPS}?watch=1`);
    const made = await server.configMap('x');
    const changed = await server.patch(`${CONFIG_MAPS}/x`, MERGE_PATCH, { data: { key: 'value' } });
    expect(await watch.next()).toEqual({ type: 'ADDED', object: made });
    expect(await watch.next()).toEqual({ type: 'MODIFIED', object: changed.body });
  });

  test('R046: a bookmark contains a version and nothing else', async ({ timed }) => {
    const { metadata } = await timed.configMap('x');
    const { resourceVersion } = metadata;
    const query = `watch=1&allowWatchBookmarks=true&resourceVersion=${resourceVersion}`;
    const watch = await timed.watch(`${CONFIG_MAPS}?${query}`);
    const { object } = (await timed.waitFor(watch.next())) as WireEvent;
    expect(object).toEqual({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion } });
  });

  test('R047: a JSON watch is a series of documents, sent immediately', async ({ server }) => {
    const { response, ...watch } = await watchText(server.api.fetch, `${CONFIG_MAPS}?watch=1`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('content-length')).toBeNull();
    for (const name of ['x', 'y']) {
      const object = await server.configMap(name);
      const document = await watch.read();
      expect(document.endsWith('\n')).toBe(true);
      expect(JSON.parse(document)).toEqual({ type: 'ADDED', object });
    }
    await watch.close();
  });
});

async function watchText(fetch: (request: Request) => Promise<Response>, path: string) {
  const response = await fetch(new Request(`http://server${path}`));
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  return {
    response,
    read: async () => new TextDecoder().decode((await reader.read()).value),
    close: () => reader.cancel(),
  };
}
