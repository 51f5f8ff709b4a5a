// Beside the routes of a Hono application, which speaks fetch wherever it runs; WebSockets need toNodeListener
import { Hono } from 'hono';

/** @param {import('@ashlar/server').ApiServer} server */
export function createApplication(server) {
  const application = new Hono();
  application.get('/hello', (context) => context.json({ hello: 'from hono' }));
  for (const path of ['/api/*', '/apis/*', '/api', '/apis', '/openapi/*', '/version', '/livez', '/readyz']) {
    application.all(path, (context) => server.fetch(context.req.raw));
  }
  return application;
}
