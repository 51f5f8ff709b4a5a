import { type ByteSink, Metrics } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createTestApi, type TestApi, toRequest } from '../testing/test-api.fixture.ts';

const NOTES = '/api/v1/namespaces/x/notes';

/** Opens a watch; returns its end and how many bytes it has received. */
async function watch(api: TestApi): Promise<{ end(): void; readonly sizes: number[] }> {
  const sizes: number[] = [];
  const closing: (() => void)[] = [];
  const sink: ByteSink = {
    buffered: 0,
    write: (bytes) => sizes.push(bytes.length) > 0,
    onDrain: () => {},
    onClose: (call) => closing.push(call),
    end: () => {},
    destroy: () => {},
  };
  const { body } = await api.handler(toRequest('GET', `${NOTES}?watch=1`));
  if (typeof body === 'function') body(sink);
  await settled();
  return { sizes, end: () => closing.forEach((call) => void call()) };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
};

async function lines(api: TestApi, ...names: readonly string[]): Promise<readonly string[]> {
  const { text } = await api.ask('GET', '/metrics');
  return text
    .split('\n')
    .filter((line: string) => names.some((name) => line.startsWith(`${name}{`)) && /WATCH|kind=/.test(line));
}

it('counts watches while they are open, and as requests when they have ended', async () => {
  const api = createTestApi({ metrics: new Metrics() });
  const watches = [await watch(api), await watch(api)];
  const labels = 'verb="WATCH",group="",version="v1",resource="notes",subresource="",scope="namespace"';
  const open = `apiserver_longrunning_requests{${labels},component="apiserver"}`;
  const both = ['apiserver_longrunning_requests', 'apiserver_request_total'];
  expect(await lines(api, ...both)).toEqual([`${open} 2`]);
  for (const { end } of watches) end();
  expect(await lines(api, ...both)).toEqual([
    `${open} 0`,
    `apiserver_request_total{${labels.replace(',group', ',dry_run="",group')},component="apiserver",code="200"} 2`,
  ]);
});

it('counts the events of watches, and measures them', async () => {
  const api = createTestApi({ metrics: new Metrics() });
  await api.ask('POST', NOTES, { metadata: { name: 'a' } });
  const { sizes } = await watch(api);
  await api.ask('POST', NOTES, { metadata: { name: 'b' } });
  await api.ask('POST', NOTES, { metadata: { name: 'c' } });
  await settled();
  const labels = 'group="",version="v1",kind="Note"';
  expect(await lines(api, 'apiserver_watch_events_total', 'apiserver_watch_events_sizes_sum')).toEqual([
    `apiserver_watch_events_sizes_sum{${labels}} ${sizes.reduce((sum, size) => sum + size)}`,
    `apiserver_watch_events_total{${labels}} 3`,
  ]);
});
