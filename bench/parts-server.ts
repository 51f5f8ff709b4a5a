// A process that serves a config map over TLS once with every part of the pipeline, and once without each of them; forked by
// benches: parts-server.ts CERTIFICATE KEY. All handlers share one process, catalog and store, so that only the part differs.
// Sends their ports.
import { type ChildProcess, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createAdmissionChain } from '@ashlar/admission';
import { builtInResources, defaultFlowSchemas, defaultPriorityLevels } from '@ashlar/apis';
import { createBearerAuthenticator, createStaticTokens } from '@ashlar/authn';
import { alwaysAllow, createRbacAuthorizer, RbacPolicy } from '@ashlar/authz';
import { decodeJson, encodeJson } from '@ashlar/codec';
import {
  type Ambient,
  type ApiObject,
  type Handler,
  type JsonValue,
  Metrics,
  kubernetesVocabulary as vocabulary,
} from '@ashlar/core';
import { FlowControl } from '@ashlar/flow-control';
import { ApiCatalog, type AuditEvent, createApiHandler, HealthChecks } from '@ashlar/http';
import { listen, nodeAmbient } from '@ashlar/http-node';
import { createStoredResource } from '@ashlar/registry';
import { createMemoryStore, createObjectStore } from '@ashlar/storage';
import { message } from './caller.ts';

/** What can be left out: the authorization by a role, metrics, priority and fairness, a listener of audit events. */
export const partNames = ['role', 'metrics', 'flow control', 'audit'] as const;
type Part = (typeof partNames)[number];

/** Of the handler with every part (`all`), and of those without one. */
export type PartPorts = Readonly<Record<Part | 'all', number>>;

export const READER_TOKEN = 'reader-token';
export const MAP_PATH = '/api/v1/namespaces/default/configmaps/map';

/** A running server. */
export interface PartsServer extends AsyncDisposable {
  readonly ports: PartPorts;
  readonly pid: number;
}

export async function startPartsServer(certificate: string, key: string): Promise<PartsServer> {
  const child: ChildProcess = fork(import.meta.filename, [certificate, key], { execArgv: process.execArgv });
  const ports = await message<PartPorts>(child);
  return {
    ports,
    pid: child.pid as number,
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await exited;
    },
  };
}

async function serve(certificateFile: string, keyFile: string): Promise<PartPorts> {
  const tls = { certificate: readFileSync(certificateFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
  const handlerWithout = await createHandlers();
  const ports = {} as Record<Part | 'all', number>;
  for (const part of ['all', ...partNames] as const) {
    ports[part] = Number(new URL((await listen(handlerWithout(part), { tls })).url).port);
  }
  return ports;
}

/** Returns the function that creates a handler without a part. */
async function createHandlers(): Promise<(without: Part | 'all') => Handler> {
  const ambient = nodeAmbient(vocabulary);
  const catalog = await createCatalog(ambient);
  const users = [{ token: READER_TOKEN, user: { name: 'reader', groups: ['system:authenticated'] } }];
  const audited: { event?: AuditEvent } = {};
  const audit = (event: AuditEvent): void => {
    audited.event = event;
  };
  return (without) => {
    const metrics = without === 'metrics' ? undefined : new Metrics();
    return createApiHandler({
      ...{ catalog, ambient, health: new HealthChecks(ambient), version: VERSION },
      authenticator: createBearerAuthenticator(createStaticTokens(users, ambient.random)),
      authorizer: without === 'role' ? alwaysAllow : createRbacAuthorizer(policyOfReader()),
      ...(metrics && { metrics }),
      limits: { readOnly: 0, mutating: 0 },
      ...(without !== 'flow control' && { flowControl: createFlowControl(ambient, metrics) }),
      ...(without !== 'audit' && { audit }),
    });
  };
}

/** With the objects of every server, as if they were stored. */
function createFlowControl({ clock }: Ambient, metrics: Metrics | undefined): FlowControl {
  const { mandatory, suggested } = defaultFlowSchemas(vocabulary);
  const levels = defaultPriorityLevels(vocabulary);
  const control = new FlowControl({
    ...{ clock, vocabulary, seats: 600, ...(metrics && { metrics }) },
    mandatory: { schemas: mandatory, levels: levels.mandatory },
  });
  control.configure({
    schemas: [...mandatory, ...suggested].map(stored),
    levels: [...levels.mandatory, ...levels.suggested].map(stored),
  });
  return control;
}

const stored = <T extends ApiObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, uid: '3ad73b0e-5a05-4b0c-8b6a-1c1f9b0f5f6d' },
});

/** The catalog of config maps, of which one is stored. */
async function createCatalog(ambient: Ambient): Promise<ApiCatalog> {
  const codec = {
    encode: (object: unknown) => encodeJson(object as JsonValue),
    decode: (bytes: Uint8Array) => decodeJson(bytes).value as never,
  };
  const store = createObjectStore(createMemoryStore(ambient), { codec, clock: ambient.clock });
  const definition = builtInResources(vocabulary).find(({ names }) => names.kind === 'ConfigMap');
  if (!definition) throw new Error('there are no config maps');
  const storage = createStoredResource(definition, { store, ambient, admission: createAdmissionChain([]) });
  const context = {
    ...{ user: { name: 'admin', groups: [] }, namespace: 'default', version: 'v1', dryRun: false },
    ...{ fieldManager: 'bench', warn: () => {}, annotate: () => {}, authorizeCreate: async () => {} },
  };
  const metadata = { name: 'map' };
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { value: 'x'.repeat(700) } };
  await storage.create?.(context, map);
  const catalog = new ApiCatalog(vocabulary);
  catalog.add(definition, storage);
  return catalog;
}

function policyOfReader(): RbacPolicy {
  const group = `rbac.authorization.${vocabulary.groupDomain}`;
  const policy = new RbacPolicy(vocabulary);
  policy.setRole({
    ...{ apiVersion: `${group}/v1`, kind: 'Role', metadata: { name: 'reader', namespace: 'default' } },
    rules: [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['configmaps'] }],
  });
  policy.setRoleBinding({
    ...{ apiVersion: `${group}/v1`, kind: 'RoleBinding', metadata: { name: 'reader', namespace: 'default' } },
    roleRef: { apiGroup: group, kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'User', apiGroup: group, name: 'reader' }],
  });
  return policy;
}

const VERSION = {
  ...{ major: '1', minor: '32', gitVersion: 'v1.32.0', gitCommit: '', gitTreeState: 'clean' },
  ...{ buildDate: '2025-01-01T00:00:00Z', goVersion: '', compiler: 'node', platform: 'any' },
};

if (process.argv[1] === import.meta.filename)
  process.send?.(await serve(process.argv[2] as string, process.argv[3] as string));
