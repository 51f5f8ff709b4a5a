import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@ashlar/client';
import { kubernetesVocabulary } from '@ashlar/core';
import { createNodeTransport, nodeAmbient } from '@ashlar/http-node';
import { waitFor } from '@ashlar/testing';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startExample } from '../start-example.ts';
import { orders as definition } from './orders.ts';
import { createShop } from './shop.ts';

const BUSY = { timeoutMilliseconds: 60_000 };

let folder: string;
let shop: FastifyInstance;
let url: string;
const transport = createNodeTransport();

async function open(): Promise<void> {
  shop = await createShop(join(folder, 'orders.db'));
  url = await shop.listen({ port: 0, host: '127.0.0.1' });
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-'));
  await open();
});
afterEach(async () => {
  await shop.close();
  transport.close();
  await rm(folder, { recursive: true });
});

const clientOf = (baseUrl: string) =>
  createClient({ transport, baseUrl, ambient: nodeAmbient(kubernetesVocabulary) });

async function checkout(customer: string, sku: string): Promise<{ status: number; body: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ customer, sku });
  const response = await fetch(`${url}/checkout`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

test('an order that a route makes is packed, and read by any client of the API', async () => {
  const { status, body } = await checkout('anna@example.com', 'ABC-1');
  const { order: name } = body as { order: string };
  expect([status, name]).toEqual([201, expect.stringMatching(/^web-/)]);
  const orders = clientOf(url).resource(definition).namespace('default');
  await waitFor(orders, (order) => order.status?.phase === 'Packed', { name, ...BUSY });
  expect(await (await fetch(`${url}/checkout/${name}`)).json()).toEqual({
    items: [{ sku: 'ABC-1', count: 1 }],
    phase: 'Packed',
  });
});

test('a route answers with the code of what the server rejects', async () => {
  const invalid = await checkout('nobody', 'ABC-1');
  expect(invalid).toMatchObject({ status: 422, body: { message: expect.stringContaining('spec.customer') } });
  const missing = await fetch(`${url}/checkout/none`);
  expect([missing.status, await missing.json()]).toEqual([
    404,
    expect.objectContaining({ message: 'orders.shop.example.com "none" not found' }),
  ]);
});

test('orders and parcels are there after a restart, and parcels go with their orders', async () => {
  const name = ((await checkout('ben@example.com', 'XYZ-2')).body as { order: string }).order;
  await waitFor(clientOf(url).resource(definition), ({ status }) => status !== undefined, { name, ...BUSY });
  await shop.close();
  await open();
  const client = clientOf(url);
  const parcels = client
    .resource({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace('default');
  const { items, metadata } = await parcels.list();
  expect(items).toMatchObject([{ metadata: { name: `parcel-${name}` }, data: { 'XYZ-2': '1' } }]);
  await client.resource(definition).namespace('default').delete(name);
  const resourceVersion = metadata.resourceVersion ?? '';
  for await (const { type } of parcels.watch({ resourceVersion })) if (type === 'DELETED') break;
  expect((await parcels.list()).items).toEqual([]);
});

test('the example runs', async () => {
  await using example = await startExample(new URL('./main.ts', import.meta.url));
  expect((await fetch(`${example.url}/apis/shop.example.com/v1/orders`)).status).toBe(200);
  expect((await fetch(`${example.url}/checkout/none`)).status).toBe(404);
});
