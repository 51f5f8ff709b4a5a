// A Fastify application with an API of its own on one port: `npx tsx examples/shop/main.ts`
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createShop } from './shop.ts';

const file = process.env.ORDERS ?? join(await mkdtemp(join(tmpdir(), 'shop-')), 'orders.db');
const shop = await createShop(file);
const url = await shop.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' });
process.once('SIGINT', () => void shop.close());

console.log(`serving ${url}, orders are kept in ${file}; try
  curl ${url}/checkout -H 'content-type: application/json' -d '{"customer":"anna@example.com","sku":"ABC-1"}'
  kubectl --server ${url} get orders,configmaps`);
