import {
  mutatingAdmissionPolicies,
  mutatingAdmissionPolicyBindings,
  workloadResources,
} from '@ashlar/apis/workloads';
import { groupName, type UserInfo, type Vocabulary } from '@ashlar/core';
import { createNodeTransport, type ListenOptions, listen, nodeAmbient } from '@ashlar/http-node';
import { parseFeatureGates } from '@ashlar/lifecycle';
import { createApiServer, generateServiceAccountKey } from '@ashlar/server';
import { authenticatorUnderTest, authorizerUnderTest, type ServerSetup } from './access-under-test.ts';
import type { ClientCertificates } from './client-certificates.ts';

/** A server of our own packages on a port of this machine. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly url: string;
}

/**
 * Starts one in this process as the reference was started for the recordings: with RBAC, service account
 * tokens, and plain HTTP.
 * @param setup differences
 */
export async function startServerUnderTest(
  vocabulary: Vocabulary,
  setup: ServerSetup = {},
): Promise<ServerUnderTest> {
  const ambient = nodeAmbient(vocabulary);
  const transport = createNodeTransport();
  const server = createApiServer({
    transport,
    vocabulary,
    resources: [
      ...workloadResources(vocabulary),
      mutatingAdmissionPolicies(vocabulary),
      mutatingAdmissionPolicyBindings(vocabulary),
    ],
    serviceAccounts: {
      issuers: ['https://reference.local'],
      signingKey: generateServiceAccountKey().key,
    },
    authenticator: (stored) => authenticatorUnderTest(setup, ambient, stored),
    authorizer: (stored) => authorizerUnderTest(setup, vocabulary, stored),
    enabledAdmissionPlugins: setup.nodes ? ['NodeRestriction'] : [],
    disabledAdmissionPlugins: setup.accounts ? [] : ['ServiceAccount'],
    controllerUser: () => ADMINISTRATOR,
    ...(setup.accounts && { controllers: ['*', '-serviceaccount', '-resourcequota'] }),
    ...(setup.audit && { audit: setup.audit }),
    ...(setup.controllers && { controllers: setup.controllers }),
    featureGates: parseFeatureGates(setup.gates ?? ''),
    ...(setup.limits && { limits: setup.limits }),
    priorityAndFairness: setup.priorityAndFairness ?? true,
    ...(setup.certificates && { proxyClient: proxyClientOf(setup.certificates) }),
    ...(setup.alphaVersions && {
      runtimeConfig: new Map(
        setup.alphaVersions.map(([group, version]) => [`${groupName(vocabulary, group)}/${version}`, true]),
      ),
    }),
  });
  await server.ready;
  const listener = await listen(server.handler, setup.certificates ? tlsOf(setup.certificates) : {});
  return {
    url: listener.url,
    async [Symbol.asyncDispose]() {
      await listener.close({ graceMilliseconds: 100 });
      await server.close();
      transport.close();
    },
  };
}

/** As whom the reference's controllers wrote: they are programs beside it, which had the administrator's token. */
const ADMINISTRATOR: UserInfo = {
  name: 'admin',
  uid: 'admin-uid',
  groups: ['system:masters', 'system:authenticated'],
};

/** The servers behind it see the administrator's certificate, as they did behind the reference. */
function proxyClientOf(certificates: ClientCertificates): () => { certificate: string; key: string } {
  const pair = { certificate: certificates.read('admin.crt'), key: certificates.read('admin.key') };
  return () => pair;
}

function tlsOf(certificates: ClientCertificates): ListenOptions {
  return {
    tls: {
      certificate: certificates.read('server.crt'),
      key: certificates.read('server.key'),
      clientCertificateAuthorities: certificates.read('ca.crt'),
    },
  };
}
