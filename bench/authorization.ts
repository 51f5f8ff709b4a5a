// What RBAC costs: npx tsup && npx tsx bench/authorization.ts
// A get by a user of one role, with 10,000 bindings of others, and without authorization: through the
// handler in one process, the mean of many alternating rounds; and over reused TLS connections to `ashlar
// serve`, a process each, per CPU-second of it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBearerAuthenticator, createStaticTokens, withAuthenticatedGroup } from '@ashlar/authn';
import { type Client, createClient } from '@ashlar/client';
import { loadConnection } from '@ashlar/client-node';
import { type ApiObject, type ServerRequest, kubernetesVocabulary as vocabulary } from '@ashlar/core';
import { nodeAmbient } from '@ashlar/http-node';
import { type ApiServer, createApiServer } from '@ashlar/server';
import { type Caller, callerOf, pause } from './caller.ts';
import { type OwnServer, startOwnServer } from './own-server.ts';
import { perCpuSecond, summary } from './rounds.ts';

const BINDINGS = 10_000;
const HANDLER_ROUNDS = 60;
const REQUESTS = 5_000;
const CONNECTION_ROUNDS = 75;
const CONNECTIONS = 16;
const PATH = '/api/v1/namespaces/default/configmaps/a';

const ambient = nodeAmbient(vocabulary);

const roles = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  resource: 'roles',
  kind: 'Role',
};
const bindings = { ...roles, resource: 'rolebindings', kind: 'RoleBinding' };
const serviceAccounts = { group: '', version: 'v1', resource: 'serviceaccounts', kind: 'ServiceAccount' };
const configMaps = { group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' };

interface RoleSubject {
  readonly kind: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
  readonly name: string;
}

const userOf = (name: string): RoleSubject => ({ kind: 'User', apiGroup: roles.group, name });

const createConfigMap = (client: Client) =>
  client
    .resource(configMaps)
    .namespace('default')
    .create({ metadata: { name: 'a' } });

/** One role for the caller, and a binding to it for each of many others. */
async function bindEverybody(client: Client, asker: RoleSubject): Promise<void> {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'] }];
  await client
    .resource(roles)
    .namespace('default')
    .create({ metadata: { name: 'reader' }, rules });
  const here = client.resource(bindings).namespace('default');
  const roleRef = { apiGroup: roles.group, kind: 'Role', name: 'reader' };
  const bind = (subject: RoleSubject) =>
    here.create({ metadata: { name: subject.name }, roleRef, subjects: [subject] });
  // one by one: after many concurrent ones V8 allocates short-lived objects among long-lived ones, for
  // minutes, at half the speed
  for (let i = 0; i < BINDINGS; i++) await bind(userOf(`user-${i}`));
  await bind(asker);
}

async function throughHandler(): Promise<void> {
  await using everything = await serverOf(false);
  await using byRoles = await serverOf(true);
  // warm-up, not counted
  for (let i = 0; i < 5; i++) for (const server of [everything, byRoles]) await round(server);
  const took = { everything: 0, byRoles: 0 };
  for (let i = 0; i < HANDLER_ROUNDS; i++) {
    // alternating order: collections do not always fall into the same round
    const turns = ['everything', 'byRoles'] as const;
    for (const turn of i % 2 === 0 ? turns : turns.toReversed())
      took[turn] += (await round({ everything, byRoles }[turn])) / HANDLER_ROUNDS;
  }
  console.log(
    `a get where everything is allowed takes the handler ${took.everything.toFixed(1)} µs, by a role beside ${BINDINGS} bindings ` +
      `${took.byRoles.toFixed(1)} µs: ${(took.byRoles / took.everything).toFixed(2)} ×`,
  );
}

async function serverOf(withRoles: boolean): Promise<ApiServer> {
  const users = [{ token: 'al', user: { name: 'al', groups: ['dev'] } }];
  const tokens = createBearerAuthenticator(createStaticTokens(users, ambient.random));
  const server = createApiServer({
    vocabulary,
    authenticator: () => withAuthenticatedGroup(tokens),
    controllers: false,
    ...(withRoles && { authorizer: ({ rbac }) => rbac() }),
  });
  await server.ready;
  await createConfigMap(server.client);
  if (withRoles) await bindEverybody(server.client, userOf('al'));
  return server;
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
  // created on first access, as by a listener
  get signal() {
    return new AbortController().signal;
  },
  body: async () => new Uint8Array(),
});

/** Microseconds per request. */
async function round(server: ApiServer): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < REQUESTS; i++) {
    const { status } = await server.handler(request());
    if (status !== 200) throw new Error(`answered with ${status}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / REQUESTS;
}

async function overConnections(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'authorization-'));
  try {
    await using everything = await startIn(folder, 'everything', 'AlwaysAllow');
    await using byRoles = await startIn(folder, 'roles', 'RBAC');
    await using full = await startIn(folder, 'full', 'AlwaysAllow');
    await compare(
      { server: everything, token: await prepare(everything, false) },
      { server: byRoles, token: await prepare(byRoles, true) },
      { server: full, token: await prepare(full, true) },
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A server, and the token of a service account. */
interface Serving {
  readonly server: OwnServer;
  readonly token: string;
}

function startIn(parent: string, name: string, mode: 'AlwaysAllow' | 'RBAC'): Promise<OwnServer> {
  const folder = join(parent, name);
  mkdirSync(folder);
  return startOwnServer(folder, ['--storage', 'memory', '--authorization-mode', mode]);
}

/** Creates the requested objects, and the caller. */
async function prepare({ authorityFile }: OwnServer, withBindings: boolean): Promise<string> {
  const file = join(dirname(authorityFile), 'kubeconfig');
  using connection = loadConnection({ ambient, environment: {}, file });
  const client = createClient(connection);
  await createConfigMap(client);
  if (withBindings) await bindEverybody(client, robot);
  return tokenOf(client);
}

const robot = { kind: 'ServiceAccount', namespace: 'default', name: 'robot' };

async function tokenOf(client: Client): Promise<string> {
  const accounts = client.resource(serviceAccounts).namespace(robot.namespace);
  await accounts.create({ metadata: { name: robot.name } });
  const { status } = await accounts.subresource<TokenRequest>('token').create(robot.name, TOKEN_REQUEST);
  return status.token;
}

const TOKEN_REQUEST = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };

interface TokenRequest extends ApiObject {
  readonly spec: object;
  readonly status: { readonly token: string };
}

async function compare(everything: Serving, byRoles: Serving, full: Serving): Promise<void> {
  await using free = await requestRepeatedly(everything);
  await using bound = await requestRepeatedly(byRoles);
  await using beside = await requestRepeatedly(full);
  // warm-up, not counted
  await pause(3);
  for (const caller of [free, bound, beside]) caller.rest(true);
  const ratios = { everything: [] as number[], full: [] as number[] };
  for (let i = 0; i < CONNECTION_ROUNDS; i++) {
    const own = await perCpuSecond(bound, '200', byRoles.server.pid);
    ratios.everything.push((await perCpuSecond(free, '200', everything.server.pid)) / own);
    ratios.full.push((await perCpuSecond(beside, '200', full.server.pid)) / own);
  }
  console.log(`over connections, as many times: ${summary(ratios.everything)}`);
  console.log(
    `as many times as where everything is allowed, too, with those bindings: ${summary(ratios.full)}`,
  );
}

const requestRepeatedly = ({ server: { port }, token }: Serving): Promise<Caller> =>
  callerOf(
    port,
    `GET ${PATH} HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    CONNECTIONS,
  );

await throughHandler();
await overConnections();
process.exit();
