// Beside the routes of a Fastify application: the hook takes requests before bodies are parsed
import { toNodeListener } from '@ashlar/http-node';
import fastify from 'fastify';

const API = /^\/(apis?|openapi|version|healthz|livez|readyz)([/?]|$)/;

/** @param {import('@ashlar/server').ApiServer} server */
export function createApplication(server) {
  const listener = toNodeListener(server.handler);
  const application = fastify({ forceCloseConnections: true });
  application.addHook('onRequest', async (request, reply) => {
    if (!API.test(request.raw.url)) return;
    reply.hijack();
    listener(request.raw, reply.raw);
  });
  application.addHook('preClose', async () => listener.close());
  application.server.on('upgrade', listener.upgrade);
  application.get('/hello', async () => ({ hello: 'from fastify' }));
  return {
    async listen() {
      const url = await application.listen({ port: 0, host: '127.0.0.1' });
      return { url, close: () => application.close() };
    },
  };
}
