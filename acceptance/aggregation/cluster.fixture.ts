import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workloadResources } from '@ashlar/apis/workloads';
import {
  createBearerAuthenticator,
  createStaticTokens,
  createUnionAuthenticator,
  withAnonymous,
  withAuthenticatedGroup,
} from '@ashlar/authn';
import { withPrivilegedGroup } from '@ashlar/authz';
import type { ConnectionOptions } from '@ashlar/client';
import { type ApiObject, systemNamespace, type Vocabulary } from '@ashlar/core';
import { createNodeTransport, type Listener, listen, nodeAmbient } from '@ashlar/http-node';
import {
  type ApiServer,
  clientConfigurationFor,
  createApiServer,
  createServingCertificate,
} from '@ashlar/server';
import { createClientCertificates } from '../../conformance/client-certificates.ts';

/** A server in front of others, as clusters have one: `admin` may do everything, `alice` read. */
export interface Cluster {
  readonly server: ApiServer;
  readonly listener: Listener;
  /** How servers behind it reach it. */
  readonly connection: ConnectionOptions;
  /** The same as a file, for the administrator. */
  readonly kubeconfig: string;
  /** Asks as the administrator. */
  ask(path: string, options?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

const TOKENS = [
  { token: 'admin-token', user: { name: 'admin', groups: ['system:masters'] } },
  { token: 'alice-token', user: { name: 'alice', groups: ['dev'] } },
];
const READS = new Set(['get', 'list', 'watch']);

export async function startCluster(vocabulary: Vocabulary): Promise<Cluster> {
  const ambient = nodeAmbient(vocabulary);
  const transport = createNodeTransport();
  const certificates = await createClientCertificates();
  const proxyClient = {
    certificate: certificates.read('front-proxy.crt'),
    key: certificates.read('front-proxy.key'),
  };
  const tokens = createBearerAuthenticator(createStaticTokens(TOKENS, ambient.random));
  const server = createApiServer({
    ...{ vocabulary, transport, resources: workloadResources(vocabulary) },
    proxyClient: () => proxyClient,
    authenticator: () => withAnonymous(withAuthenticatedGroup(createUnionAuthenticator([tokens]))),
    authorizer: () =>
      withPrivilegedGroup({
        authorize: ({ user, verb }) => ({
          decision: user.name === 'alice' && READS.has(verb) ? 'allow' : 'no-opinion',
        }),
      }),
    onError: () => {},
  });
  await server.ready;
  const listener = await listen(server.handler, { onError: () => {} });
  const serving = await createServingCertificate();
  const encrypted = await listen(server.handler, { tls: serving, onError: () => {} });
  const kubeconfig = join(certificates.folder, 'kubeconfig');
  const configuration = clientConfigurationFor({
    ...{ server: encrypted.url, certificateAuthority: serving.certificateAuthority, token: 'admin-token' },
  });
  writeFileSync(kubeconfig, configuration);
  await server.client
    .resource<ApiObject>({ group: '', version: 'v1', resource: 'configmaps', kind: 'ConfigMap' })
    .namespace(systemNamespace(vocabulary, 'system'))
    .create({
      metadata: { name: 'extension-apiserver-authentication' },
      data: {
        'requestheader-client-ca-file': certificates.read('ca.crt'),
        'requestheader-allowed-names': '["front-proxy"]',
        'requestheader-username-headers': '["X-Remote-User"]',
        'requestheader-group-headers': '["X-Remote-Group"]',
        'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      },
    } as never);
  return {
    server,
    listener,
    kubeconfig,
    connection: { ambient, transport, baseUrl: listener.url, token: 'admin-token' },
    ask: (path, { headers, ...options } = {}) =>
      fetch(listener.url + path, {
        ...options,
        headers: { authorization: 'Bearer admin-token', ...headers },
      }),
    async close() {
      await encrypted.close({ graceMilliseconds: 0 });
      await listener.close({ graceMilliseconds: 0 });
      await server.close();
      transport.close();
      certificates[Symbol.dispose]();
    },
  };
}
