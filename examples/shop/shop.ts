import { kubernetesVocabulary } from '@ashlar/core';
import { nodeAmbient, toNodeListener } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import { createSqliteStore } from '@ashlar/storage-sqlite';
import fastify, { type FastifyInstance } from 'fastify';
import { createOrderController } from './order-controller.ts';
import { orders as definition } from './orders.ts';

/** Paths that the API server answers; all others are routes of the application. */
const API = /^\/(apis?|openapi|version|healthz|livez|readyz)([/?]|$)/;

/** An application of Fastify with an API server, its store in SQLite and a controller, to be closed together. */
export async function createShop(file: string): Promise<FastifyInstance> {
  const ambient = nodeAmbient(kubernetesVocabulary);
  const storage = await createSqliteStore({ file, clock: ambient.clock });
  const server = createApiServer({
    vocabulary: kubernetesVocabulary,
    ambient,
    storage,
    resources: [definition],
  });
  await server.ready;
  const controller = createOrderController(server.client, ambient);
  const listener = toNodeListener(server.handler);

  const shop = fastify({ forceCloseConnections: true });
  shop.addHook('onRequest', async (request, reply) => {
    if (!API.test(request.raw.url ?? '')) return;
    reply.hijack(); // before the body is parsed
    listener(request.raw, reply.raw);
  });
  shop.server.on('upgrade', listener.upgrade);
  shop.addHook('preClose', async () => listener.close());
  shop.addHook('onClose', async () => {
    await controller[Symbol.asyncDispose]();
    await server.close();
  });

  // what the server rejects with a StatusError, Fastify answers with its code
  const orders = server.client.resource(definition).namespace('default');
  shop.post<{ Body: { customer: string; sku: string } }>('/checkout', async ({ body }, reply) => {
    const { metadata } = await orders.create({
      metadata: { generateName: 'web-' },
      spec: {
        customer: body.customer,
        items: [{ sku: body.sku }],
        delivery: { by: 'pickup', shop: 'north' },
      },
    });
    return reply.code(201).send({ order: metadata.name });
  });
  shop.get<{ Params: { name: string } }>('/checkout/:name', async ({ params }) => {
    const { spec, status } = await orders.get(params.name);
    return { items: spec.items, phase: status?.phase ?? 'Received' };
  });
  return shop;
}
