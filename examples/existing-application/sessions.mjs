// An application with sessions: who is logged in is a user of the API, and its context reaches what runs for a request
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import { kubernetesVocabulary } from '@ashlar/core';
import { toNodeListener } from '@ashlar/http-node';
import { createApiServer } from '@ashlar/server';
import fastify from 'fastify';

const API = /^\/(apis?|openapi|version|healthz|livez|readyz)([/?]|$)/;

/** What OpenTelemetry keeps too: `context.active()` and `trace.getActiveSpan()` work where this does. */
const context = new AsyncLocalStorage();

/** @param {{ resources: any[], passwords: Record<string, string>, log: object }} options */
export async function createApplication({ resources, passwords, log }) {
  const application = fastify({ loggerInstance: log, forceCloseConnections: true });
  const sessions = new Map();
  const userOf = (cookie = '') => sessions.get(/(?:^|; )session=([^;]*)/.exec(cookie)?.[1]);

  const server = createApiServer({
    vocabulary: kubernetesVocabulary,
    resources,
    authenticator: () => ({
      authenticate(request) {
        const name = userOf(request.headers.get('cookie'));
        return name ? { outcome: 'authenticated', user: { name, groups: ['members'] } } : { outcome: 'none' };
      },
    }),
    authorizer: () => ({
      authorize: ({ user }) => ({ decision: user.groups.includes('members') ? 'allow' : 'deny' }),
    }),
    admission: [
      {
        name: 'Told',
        handles: ({ operation }) => operation === 'CREATE',
        validate: ({ name, user }) =>
          application.log.info({ ...context.getStore(), name, user: user.name }, 'created'),
      },
    ],
    onError: (error) => application.log.error(error),
  });
  await server.ready;
  const listener = toNodeListener(server.handler);

  application.post('/login', async (request, reply) => {
    const { name, password } = request.body;
    if (!Object.hasOwn(passwords, name) || passwords[name] !== password) return reply.code(403).send();
    const session = randomBytes(16).toString('hex');
    sessions.set(session, name);
    // strict: no other site may use the session to write
    return reply.header('set-cookie', `session=${session}; Path=/; HttpOnly; SameSite=Strict`).send({ name });
  });
  application.addHook('onRequest', async (request, reply) => {
    if (!API.test(request.raw.url)) return;
    reply.hijack();
    const { traceparent } = request.headers;
    context.run({ requestId: request.id, traceparent }, () => listener(request.raw, reply.raw));
  });
  application.server.on('upgrade', listener.upgrade);
  // running requests end first, then the server, then the application
  application.addHook('preClose', async () => {
    listener.close();
    await server.close();
  });
  return application;
}
