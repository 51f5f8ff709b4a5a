import { kubernetesVocabulary, parseFieldSelector, parseLabelSelector } from '@ashlar/core';
import { describe, expect, it } from 'vitest';
import { type ClusterComponent, componentStatuses } from './component-statuses.ts';

const component = (name: string, status: 'True' | 'False', error?: string): ClusterComponent => ({
  name,
  check: async () => ({ status, message: status === 'True' ? 'ok' : '', ...(error && { error }) }),
});
const components = [component('scheduler', 'True'), component('etcd-0', 'False', 'no leader')];
const definition = componentStatuses(kubernetesVocabulary, { components });
const context = {} as never;
const all = { labels: parseLabelSelector(''), fields: parseFieldSelector('') };

describe('the statuses of components', () => {
  it('tell what each component answers', async () => {
    expect(await definition.storage?.get?.(context, { name: 'etcd-0' })).toEqual({
      apiVersion: 'v1',
      kind: 'ComponentStatus',
      metadata: { name: 'etcd-0', creationTimestamp: null },
      conditions: [{ type: 'Healthy', status: 'False', error: 'no leader' }],
    });
  });

  it('are a server error for other names', () => {
    expect(() => definition.storage?.get?.(context, { name: 'nope' })).toThrow(
      expect.objectContaining({ code: 500, reason: '', message: 'Component not found: nope' }),
    );
  });

  it.each([
    ['', '', ['scheduler', 'etcd-0']],
    ['', 'metadata.name=etcd-0', ['etcd-0']],
    ['', 'metadata.namespace=a', []],
    ['a=b', '', []],
    ['a!=b', '', ['scheduler', 'etcd-0']],
  ])('are selected by labels %j and fields %j', async (labels, fields, names) => {
    const selection = { labels: parseLabelSelector(labels), fields: parseFieldSelector(fields) };
    const list = await definition.storage?.list?.(context, selection);
    expect(list?.items.map((item) => (item as { metadata: { name: string } }).metadata.name)).toEqual(names);
  });

  it('have columns for the answer', async () => {
    const { items = [] } = (await definition.storage?.list?.(context, all)) ?? {};
    const [{ columns = [] } = {}] = definition.versions;
    const cells = items.map((item) => columns.map(({ cell }) => cell(item as never, 0)));
    expect(cells).toEqual([
      ['scheduler', 'Healthy', 'ok', ''],
      ['etcd-0', 'Unhealthy', '', 'no leader'],
    ]);
  });

  it('are none where a host has no components', async () => {
    const none = componentStatuses(kubernetesVocabulary);
    expect(await none.storage?.list?.(context, all)).toEqual({ items: [], resourceVersion: '' });
  });
});
