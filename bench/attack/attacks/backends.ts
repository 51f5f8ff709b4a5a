import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Attack, Scenario, Target } from '../attack.ts';
import { awakeNow, whenAwakeFor } from '../awake-time.ts';
import { listed } from '../bodies.ts';
import { slowness } from '../calibration.ts';
import { startBeside } from '../served-beside.ts';

const GROUP = 'hostile.example.com';
/** A definition of every server. */
const OWN_DEFINITION = 'io.k8s.api.core.v1.Namespace';
/** Members of an object, of which no more are read. */
const MOST_MEMBERS = 31_250;
const LONGEST_TURN = 50;
/** What a server reads of a backend at most is 8 MB; three times that, and what a heap grows by before it is collected. */
const GROWN_MEGABYTES = 200;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void whenAwakeFor(milliseconds, resolve));

/** What a backend answers by path; `{}` for others. */
type Documents = Readonly<Record<string, string>>;

/** A server of an aggregated version. */
function startBackend(target: Target, documents: Documents, asked: Set<string>): Promise<Server> {
  return startBeside(target, (incoming, outgoing) => {
    const path = (incoming.url ?? '').replace(/\?.*/, '');
    asked.add(path);
    const document = documents[path] ?? USUAL[path] ?? '{}';
    outgoing.writeHead(200, { 'content-type': mediaTypeOf(document) }).end(document);
  });
}

/** Aggregated discovery is known by its media type. */
const mediaTypeOf = (document: string): string =>
  document.startsWith(DISCOVERY)
    ? 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
    : 'application/json';

async function create(target: Target, path: string, object: object): Promise<void> {
  const headers = [target.credentials('operator'), 'Content-Type: application/json'];
  const { status, body } = await target.send({ method: 'POST', path, headers, body: JSON.stringify(object) });
  if (status !== 201) throw new Error(`POST ${path}: ${status} ${body.slice(0, 500)}`);
}

async function register(target: Target, port: number): Promise<void> {
  await create(target, '/api/v1/namespaces/tenant/services', {
    metadata: { name: 'backend' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await create(target, '/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: `v1.${GROUP}` },
    spec: {
      ...{ group: GROUP, version: 'v1', groupPriorityMinimum: 1000, versionPriority: 15 },
      ...{ insecureSkipTLSVerify: true, service: { name: 'backend', namespace: 'tenant', port } },
    },
  });
}

/** What a server asks a backend for last. */
const LAST = '/openapi/v3';
const ROUNDS_AFTER = 10;
const READ = ['/apis', '/openapi/v2', '/openapi/v3'];

/** A registered backend with hostile documents, while others read what is merged of them. */
function backend(name: string, sends: string, documents: () => Documents, mustAsk: string): Scenario {
  return {
    name,
    sends,
    async run(target) {
      const asked = new Set<string>();
      const server = await startBackend(target, documents(), asked);
      try {
        const headers = [target.credentials('operator'), 'Accept: application/json'];
        // what runs for the first time takes long
        for (let i = 0; i < 10; i++) for (const path of READ) await target.send({ path, headers });
        await target.measure.begin();
        await register(target, (server.address() as AddressInfo).port);
        const statuses: number[] = [];
        const end = awakeNow() + 8_000;
        // what the last answer changes is read, too
        for (let after = 0; awakeNow() < end && after < ROUNDS_AFTER; after += asked.has(LAST) ? 1 : 0) {
          for (const path of READ) statuses.push((await target.send({ path, headers })).status);
          await pause(50);
        }
        const { longestTurn, grownMegabytes } = await target.measure.end();
        const longest = LONGEST_TURN * slowness();
        return [
          ...(asked.has(mustAsk) ? [] : [`${mustAsk} has not been asked for`]),
          ...(longestTurn > longest
            ? [`longest turn ms ${longestTurn.toFixed(0)}, at most ${longest.toFixed(0)}`]
            : []),
          ...(grownMegabytes > GROWN_MEGABYTES ? [`grew by ${grownMegabytes.toFixed(0)} MB`] : []),
          ...(statuses.every((status) => status === 200)
            ? []
            : [`answered ${[...new Set(statuses)].join(', ')}`]),
        ];
      } finally {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

const DISCOVERY = '{"kind":"APIGroupDiscoveryList",';
const discovery = (resources: string): string =>
  `${DISCOVERY}"apiVersion":"apidiscovery.k8s.io/v2","items":[{"metadata":{"name":"${GROUP}"},"versions":[{"version":"v1","resources":[${resources}]}]}]}`;
const resource = (i: number): string =>
  `{"resource":"r${i}","responseKind":{"kind":"R"},"scope":"Namespaced","verbs":["get"]}`;
const plainResource = (i: number): string =>
  `{"name":"r${i >> 1}${i % 2 === 0 ? '' : '/status'}","namespaced":true,"kind":"R","verbs":["get"]}`;
const schema = (i: number): string =>
  `"d${i}":{"type":"object","properties":{"a":{"$ref":"#/definitions/d${i + 1}"}}}`;

const pathOf = (i: number): string =>
  `"/apis/${GROUP}/v1/p${i}":{"get":{"operationId":"get${i}","responses":{"200":{"schema":{"$ref":"#/definitions/d${i}"}}}}}`;
const addressOf = (i: number): string => `"apis/${GROUP}/v1/p${i}":{"serverRelativeURL":"/openapi/v3/x${i}"}`;
const openApi = (paths: string, definitions: string): string =>
  `{"swagger":"2.0","info":{"title":"a","version":"1"},"paths":{${paths}},"definitions":{${definitions}}}`;

/** What a harmless server publishes. */
const USUAL: Documents = { '/apis': discovery(resource(0)) };

export const attacks: readonly Attack[] = [
  backend(
    'many resources',
    'discovery with as many resources as fit',
    () => ({ '/apis': discovery(listed(45_000, resource)) }),
    '/apis',
  ),
  backend(
    'many plain resources',
    'a document of one version with as many resources as fit, half of them below others',
    () => ({
      '/apis': '{}',
      [`/apis/${GROUP}/v1`]: `{"kind":"APIResourceList","resources":[${listed(35_000, plainResource)}]}`,
    }),
    `/apis/${GROUP}/v1`,
  ),
  backend(
    'resources of wrong types',
    'discovery whose resources are numbers, nulls and lists',
    () => ({ '/apis': discovery(listed(400_000, (i) => ['1', 'null', '[]', '{}'][i % 4] as string)) }),
    '/apis',
  ),
  backend(
    'nested discovery',
    'discovery of brackets',
    () => ({ '/apis': discovery('['.repeat(2_000_000)), [`/apis/${GROUP}/v1`]: '{"a":'.repeat(800_000) }),
    `/apis/${GROUP}/v1`,
  ),
  backend(
    'many definitions',
    'an OpenAPI document of more definitions than are read, that refer to each other',
    () => ({ '/openapi/v2': openApi(`"/apis/${GROUP}/v1/":{}`, listed(60_000, schema)) }),
    '/openapi/v2',
  ),
  backend(
    'as many definitions as are read',
    'an OpenAPI document of definitions that refer to each other',
    () => ({ '/openapi/v2': openApi(listed(10, pathOf), listed(MOST_MEMBERS, schema)) }),
    '/openapi/v2',
  ),
  backend(
    'definitions with the names of others',
    'an OpenAPI document of definitions with names that this server has, and of many references to them',
    () => ({
      '/openapi/v2': openApi(
        `"/apis/${GROUP}/v1/":{"a":[${listed(120_000, () => `{"$ref":"#/definitions/${OWN_DEFINITION}"}`)}]}`,
        `"${OWN_DEFINITION}":{"type":"object","enum":[${listed(100_000, String)}]}`,
      ),
    }),
    '/openapi/v2',
  ),
  backend(
    'many paths',
    'an OpenAPI document of more paths than are read',
    () => ({ '/openapi/v2': openApi(listed(100_000, pathOf), '') }),
    '/openapi/v2',
  ),
  backend(
    'as many paths as are read',
    'an OpenAPI document of paths with an operation each',
    () => ({ '/openapi/v2': openApi(listed(MOST_MEMBERS, pathOf), '') }),
    '/openapi/v2',
  ),
  backend(
    'as many parameters as are read',
    'an OpenAPI document of one operation with empty parameters and responses',
    () => ({
      '/openapi/v2': openApi(
        `"/apis/${GROUP}/v1/p":{"get":{"parameters":[${listed(400_000, () => '{}')}],"responses":{${listed(MOST_MEMBERS, (i) => `"${i}":{}`)}}}}`,
        '',
      ),
    }),
    '/openapi/v2',
  ),
  backend(
    'many addresses',
    'an index of OpenAPI documents of more paths than are read',
    () => ({ '/openapi/v3': `{"paths":{${listed(100_000, addressOf)}}}` }),
    '/openapi/v3',
  ),
  backend(
    'as many addresses as are read',
    'an index of OpenAPI documents of many paths',
    () => ({ '/openapi/v3': `{"paths":{${listed(MOST_MEMBERS, addressOf)}}}` }),
    '/openapi/v3',
  ),
];
