// What asking roles costs: npx tsup && npx tsx bench/authorization.ts
// A get through the whole handler by a user of one role, beside 10,000 bindings of others, and where everything is allowed; in turns, in
// one process, the least of many rounds.
import { createBearerAuthenticator, createStaticTokens, withAuthenticatedGroup } from '@ashlar/authn';
import { type ServerRequest, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';

const BINDINGS = 10_000;
const ROUNDS = 20;
// so many that each round has its share of what is collected
const REQUESTS = 10_000;
const PATH = '/api/v1/namespaces/default/configmaps/a';

const { random } = nodeAmbient(vocabulary);
const users = createStaticTokens([{ token: 'al', user: { name: 'al', groups: ['dev'] } }], random);
const authenticator = withAuthenticatedGroup(createBearerAuthenticator(users));

const roles = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'roles',
  kind: 'Role',
};
const bindings = { ...roles, resource: 'rolebindings', kind: 'RoleBinding' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };

async function serverOf(withRoles: boolean): Promise<ApiServer> {
  const server = createApiServer({
    vocabulary,
    authenticator,
    controllers: false,
    ...(withRoles && { authorizer: ({ rbac }) => rbac }),
  });
  await server.ready;
  await server.client
    .resource(configMaps)
    .namespace('default')
    .create({ metadata: { name: 'a' } });
  if (withRoles) await bindEverybody(server);
  return server;
}

/** One role for the user who asks, and a binding to it for each of many others. */
async function bindEverybody(server: ApiServer): Promise<void> {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
  await server.client
    .resource(roles)
    .namespace('default')
    .create({ metadata: { name: 'reader' }, rules });
  const here = server.client.resource(bindings).namespace('default');
  const roleRef = { apiGroup: roles.group, kind: 'Role', name: 'reader' };
  const bind = (user: string) =>
    here.create({
      metadata: { name: user },
      roleRef,
      subjects: [{ kind: 'User', apiGroup: roles.group, name: user }],
    });
  for (let i = 0; i < BINDINGS; i += 500)
    await Promise.all(Array.from({ length: 500 }, (_, j) => bind(`user-${i + j}`)));
  await bind('al');
}

const lines = [
  ['host', 'h'],
  ['authorization', 'Bearer al'],
  ['accept', 'application/json'],
] as const;
const values = new Map<string, string>(lines);
const request = (): ServerRequest => ({
  method: 'GET',
  url: PATH,
  headers: {
    get: (name) => values.get(name),
    all: (name) => [values.get(name)].flatMap((value) => value ?? []),
    entries: () => lines,
    someBegin: (prefix) => lines.some(([name]) => name.startsWith(prefix)),
  },
  connection: { encrypted: true },
  // made when it is asked for, as a listener does
  get signal() {
    return new AbortController().signal;
  },
  body: async () => new Uint8Array(),
});

async function round(server: ApiServer): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < REQUESTS; i++) {
    const { status } = await server.handler(request());
    if (status !== 200) throw new Error(`answered with ${status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

const everything = await serverOf(false);
const byRoles = await serverOf(true);
const least = { everything: Number.POSITIVE_INFINITY, byRoles: Number.POSITIVE_INFINITY };
for (let i = 0; i < ROUNDS; i++) {
  least.everything = Math.min(least.everything, await round(everything));
  least.byRoles = Math.min(least.byRoles, await round(byRoles));
}
console.log(
  `a get where everything is allowed ${least.everything.toFixed(1)} µs, by a role beside ${BINDINGS} bindings ` +
    `${least.byRoles.toFixed(1)} µs: ${(least.byRoles / least.everything).toFixed(2)} ×`,
);
await everything.close();
await byRoles.close();
