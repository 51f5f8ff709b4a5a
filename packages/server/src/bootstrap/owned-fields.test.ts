import type { ApiObject } from '@ashlar/core';
import { expect, it } from 'vitest';
import { createApiServer } from '../index.ts';

const ownersOf = ({ metadata }: ApiObject): readonly unknown[] =>
  (metadata.managedFields ?? []).map(({ fieldsV1 }) => fieldsV1);

it.each([
  { group: '', version: 'v1', resource: 'namespaces', kind: 'Namespace' },
  { group: 'apiregistration.orch.io', version: 'v1', resource: 'apiservices', kind: 'APIService' },
])('a server owns of $resource what anybody would own who creates them', async (type) => {
  await using server = createApiServer({ controllers: false });
  await server.ready;
  const objects = server.client.resource<ApiObject & { readonly spec?: unknown }>(type);
  const { items } = await objects.list();
  expect(items.length).toBeGreaterThan(3);
  const spec = type.resource === 'apiservices';
  for (const [index, object] of items.entries()) {
    const { name, labels } = object.metadata;
    if (spec) await objects.delete(name ?? '');
    const again = await objects.create({
      metadata: { name: spec ? (name ?? '') : `n${index}`, ...(spec && labels && { labels }) },
      ...(spec && { spec: object.spec }),
    });
    expect(ownersOf(again)).toEqual(ownersOf(object));
  }
});
